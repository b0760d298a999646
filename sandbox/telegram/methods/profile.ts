/** What the bot is: itself, its names and descriptions, its menu button. */
import { z } from 'zod';
import { badRequest } from '../api-error.ts';
import { type Method, type Methods, method } from '../method.ts';
import { integer, json, text } from '../parameters.ts';

const getMe = method(z.looseObject({}), ({ core }) => core.bot);

const always: Method = method(z.looseObject({}), () => true);

/** The setter and getter of a text that the bot has per language; `longest` in code points. */
function profileText(field: string, longest: number, fault: string): { set: Method; get: Method } {
  return {
    set: method(
      z.looseObject({ [field]: text.default(''), language_code: text.default('') }),
      ({ core }, parameters) => {
        const value = String(parameters[field]);
        if ([...value].length > longest) throw badRequest(fault);
        core.profile.setText(field, String(parameters.language_code), value);
        return true;
      },
    ),
    get: method(z.looseObject({ language_code: text.default('') }), ({ core }, { language_code }) => ({
      [field]: core.profile.text(field, language_code) || (field === 'name' ? core.bot.first_name : ''),
    })),
  };
}

// The lengths: Bot API, setMyName, setMyDescription, setMyShortDescription.
const name = profileText('name', 64, 'BOT_TITLE_INVALID');
const description = profileText('description', 512, 'BOT_DESCRIPTION_INVALID');
const shortDescription = profileText('short_description', 120, 'BOT_ABOUT_INVALID');

const chatId = integer('chat_id must be a valid Integer').default(0);

const menuButton = z.looseObject(
  {
    type: z.enum(['default', 'commands', 'web_app'], {
      error: "can't parse menu button: Unsupported type specified",
    }),
  },
  { error: "can't parse menu button: MenuButton must be an Object" },
);

const setChatMenuButton = method(
  z.looseObject({
    chat_id: chatId,
    menu_button: json(menuButton, "can't parse menu button JSON object").optional(),
  }),
  ({ core }, { chat_id, menu_button }) => {
    if (chat_id !== 0 && core.room(chat_id).chat.type !== 'private') throw badRequest('chat not found');
    core.profile.setMenuButton(chat_id, menu_button ?? { type: 'default' });
    return true;
  },
);

const getChatMenuButton = method(z.looseObject({ chat_id: chatId }), ({ core }, { chat_id }) =>
  core.profile.menuButton(chat_id),
);

const RIGHTS = {
  is_anonymous: false,
  can_manage_chat: false,
  can_delete_messages: false,
  can_manage_video_chats: false,
  can_restrict_members: false,
  can_promote_members: false,
  can_change_info: false,
  can_invite_users: false,
};

export const profileMethods: Methods = {
  getMe,
  logOut: always,
  close: always,
  setMyName: name.set,
  getMyName: name.get,
  setMyDescription: description.set,
  getMyDescription: description.get,
  setMyShortDescription: shortDescription.set,
  getMyShortDescription: shortDescription.get,
  setChatMenuButton,
  getChatMenuButton,
  setMyDefaultAdministratorRights: always,
  getMyDefaultAdministratorRights: method(z.looseObject({}), () => RIGHTS),
};
