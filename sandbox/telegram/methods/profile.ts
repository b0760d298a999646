/** What the bot is: itself, its picture, what it says of itself. */
import { badRequest } from '../api-error.ts';
import { type Method, type Methods, method } from '../method.ts';
import { integer, text } from '../parameters.ts';

const getMe = method({}, ({ core }) => core.bot);

const language = { language_code: text.default('') };

/** Sets a text that the bot has per language; `longest` in code points. */
function setText(field: string, longest: number, fault: string): Method<true> {
  return method({ [field]: text.default(''), language_code: text.default('') }, ({ core }, parameters) => {
    const value = String(parameters[field]);
    if ([...value].length > longest) throw badRequest(fault);
    core.profile.setText(field, String(parameters.language_code), value);
    // The empty private chats show the description.
    for (const { chat } of core.rooms.values()) if (chat.type === 'private') core.events.emit('chat', chat);
    return true;
  });
}

/** Only the bot has a picture here. */
const getUserProfilePhotos = method(
  { user_id: integer('invalid user_id specified') },
  ({ core }, { user_id }) => {
    const { picture } = core.profile;
    const photos = user_id === core.bot.id && picture !== undefined ? [picture] : [];
    return { total_count: photos.length, photos };
  },
);

export const profileMethods: Methods = {
  getMe,
  // The lengths: Bot API, setMyDescription, setMyShortDescription.
  setMyDescription: setText('description', 512, 'BOT_DESCRIPTION_INVALID'),
  setMyShortDescription: setText('short_description', 120, 'BOT_ABOUT_INVALID'),
  getMyDescription: method(language, ({ core }, { language_code }) => ({
    description: core.profile.text('description', language_code),
  })),
  getMyShortDescription: method(language, ({ core }, { language_code }) => ({
    short_description: core.profile.text('short_description', language_code),
  })),
  getUserProfilePhotos,
};
