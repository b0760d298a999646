/** Answering a pressed button. */
import { badRequest } from '../api-error.ts';
import { type Methods, method } from '../method.ts';
import { flag, text } from '../parameters.ts';

/** UTF-16 code units (Bot API, answerCallbackQuery). */
const ANSWER_MAX = 200;

const answerCallbackQuery = method(
  {
    callback_query_id: text.default(''),
    text: text.optional(),
    show_alert: flag.optional(),
    url: text.optional(),
  },
  ({ core }, { callback_query_id, text, show_alert, url }) => {
    if (text !== undefined && text.length > ANSWER_MAX) throw badRequest('MESSAGE_TOO_LONG');
    // The other addresses that Telegram takes are those of games.
    const botLink = new RegExp(`^(https?://)?t\\.me/${core.bot.username}\\?start=[\\w-]+$`, 'i');
    if (url && !botLink.test(url)) throw badRequest('URL_INVALID');
    core.callbackQueries.find(callback_query_id)({
      ...(text !== undefined && text !== '' && { text }),
      ...(show_alert !== undefined && { showAlert: show_alert }),
      ...(url && { url }),
    });
    return true;
  },
);

export const callbackMethods: Methods = { answerCallbackQuery };
