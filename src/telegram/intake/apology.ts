/** The apology to the sender of a dead letter. */
import { interfaceLanguage } from '../../language/interface-language.ts';
import type { Log } from '../../log.ts';
import type { RequestRow } from '../../queue/request-row.ts';
import type { Access } from '../../store/access/access.ts';
import type { BotApi } from '../api/api.ts';
import type { Words } from '../locale.ts';
import { parseUpdate } from '../request/update.ts';

interface ApologyDeps {
  readonly api: BotApi;
  readonly words: Words;
  readonly log: Log;
  readonly access: Pick<Access, 'isBlocked'>;
}

/**
 * Tells the sender of a request that it could not be handled; the sender of a guest query by editing its placeholder. Logs an unreachable
 * sender. Uses Telegram's language, not the session's: the database may be down.
 */
export async function apologise(
  { api, words, log, access }: ApologyDeps,
  body: unknown,
  { sent }: Pick<RequestRow, 'sent'>,
): Promise<void> {
  const parsed = parseUpdate(body);
  if (parsed?.asker === undefined || parsed.kind === 'inline' || (await access.isBlocked(parsed.asker)))
    return;
  const isGuest = parsed.kind === 'guest';
  const from = isGuest ? parsed.message.from : parsed.from;
  const text = words(interfaceLanguage(from?.language_code), 'given-up');
  try {
    if (isGuest) {
      for (const { id } of sent)
        if (typeof id === 'string') await api.editMessageText(undefined, undefined, id, text);
      return;
    }
    const { message, update } = parsed;
    // A channel's post asks for nothing.
    if (message === undefined || (message.chat.type === 'channel' && !('callback_query' in update))) return;
    const reply_parameters = { message_id: message.message_id, allow_sending_without_reply: true };
    await api.callApi('sendMessage', { chat_id: message.chat.id, text, reply_parameters });
  } catch (error) {
    log.warn({ error }, 'sending an apology failed');
  }
}
