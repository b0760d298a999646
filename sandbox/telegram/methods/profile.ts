/** What the bot is: itself, its names and descriptions, its menu button. */
import { z } from 'zod';
import { badRequest } from '../api-error.ts';
import { type Method, type Methods, method } from '../method.ts';
import { integer, json, text } from '../parameters.ts';

const getMe = method(z.looseObject({}), ({ core }) => core.bot);

const always = method(z.looseObject({}), () => true);

const language = z.looseObject({ language_code: text.default('') });

/** Sets a text that the bot has per language; `longest` in code points. */
function setText(field: string, longest: number, fault: string): Method<true> {
  return method(
    z.looseObject({ [field]: text.default(''), language_code: text.default('') }),
    ({ core }, parameters) => {
      const value = String(parameters[field]);
      if ([...value].length > longest) throw badRequest(fault);
      core.profile.setText(field, String(parameters.language_code), value);
      // The empty private chats show the description.
      for (const { chat } of core.rooms.values()) if (chat.type === 'private') core.events.emit('chat', chat);
      return true;
    },
  );
}

const chatId = integer('chat_id must be a valid Integer').default(0);

const menuButton = z.discriminatedUnion(
  'type',
  [
    z.object({ type: z.literal('default') }),
    z.object({ type: z.literal('commands') }),
    z.object({ type: z.literal('web_app'), text: z.string(), web_app: z.object({ url: z.string() }) }),
  ],
  {
    error: ({ code }) =>
      code === 'invalid_union'
        ? "can't parse menu button: Unsupported type specified"
        : "can't parse menu button: MenuButton must be an Object",
  },
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
  can_post_stories: false,
  can_edit_stories: false,
  can_delete_stories: false,
  can_send_welcome_messages: false,
};

/** Only the bot has a picture here. */
const getUserProfilePhotos = method(
  z.looseObject({ user_id: integer('invalid user_id specified') }),
  ({ core }, { user_id }) => {
    const { picture } = core.profile;
    const photos = user_id === core.bot.id && picture !== undefined ? [picture] : [];
    return { total_count: photos.length, photos };
  },
);

export const profileMethods: Methods = {
  getMe,
  logOut: always,
  close: always,
  // The lengths: Bot API, setMyName, setMyDescription, setMyShortDescription.
  setMyName: setText('name', 64, 'BOT_TITLE_INVALID'),
  setMyDescription: setText('description', 512, 'BOT_DESCRIPTION_INVALID'),
  setMyShortDescription: setText('short_description', 120, 'BOT_ABOUT_INVALID'),
  getMyName: method(language, ({ core }, { language_code }) => ({
    name: core.profile.text('name', language_code) || core.bot.first_name,
  })),
  getMyDescription: method(language, ({ core }, { language_code }) => ({
    description: core.profile.text('description', language_code),
  })),
  getMyShortDescription: method(language, ({ core }, { language_code }) => ({
    short_description: core.profile.text('short_description', language_code),
  })),
  getUserProfilePhotos,
  setChatMenuButton,
  getChatMenuButton,
  setMyDefaultAdministratorRights: always,
  getMyDefaultAdministratorRights: method(z.looseObject({}), () => RIGHTS),
};
