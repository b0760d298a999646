/** What of a result the bot cannot do without: an answer that says yes and lacks it is somebody else's, or trouble of Telegram's own. */
import { z } from 'zod';

/** A message that was sent, as far as Telegram tells which. */
const sent = z.looseObject({ message_id: z.int() });

/** Bot API, by method; files.ts looks at what `getFile` gives. */
const PROMISED: ReadonlyMap<string, z.ZodType> = new Map<string, z.ZodType>([
  ['getUpdates', z.array(z.unknown())],
  ['getMe', z.looseObject({ id: z.int(), username: z.string() })],
  ['getChat', z.looseObject({ id: z.int() })],
  ['getChatMember', z.looseObject({ status: z.string() })],
  ['getWebhookInfo', z.looseObject({ url: z.string(), allowed_updates: z.array(z.string()).optional() })],
  ['getMyDescription', z.looseObject({ description: z.string() })],
  ['getMyShortDescription', z.looseObject({ short_description: z.string() })],
  ['answerGuestQuery', z.looseObject({ inline_message_id: z.string().min(1) })],
  ['sendMessage', sent],
  ['sendVoice', sent],
  ['sendAudio', sent],
  ['sendDocument', sent],
  ['sendPhoto', sent],
]);

/** Whether a result is what `method` promises, as far as the bot relies on it. */
export function isPromised(method: string, result: unknown): boolean {
  return PROMISED.get(method)?.safeParse(result).success ?? result !== undefined;
}

/** Bot API, Message: the number of one that cannot be referred to. */
export const UNTOLD = 0;

/**
 * What counts as the result where Telegram goes on to say yes without it: what it was told to do it has done (Bot API, "Making
 * requests"), and once more would be seen. Undefined where it was asked for something, or for the name of a message: that is what is missing; and for the webhook,
 * without which nothing would ever come: to set it once more has no effect that people see.
 */
export function presumedResult(method: string, payload: object): unknown {
  if (method.startsWith('get') || method === 'setWebhook' || method === 'answerGuestQuery') return undefined;
  if (PROMISED.get(method) !== sent) return true;
  const id = 'chat_id' in payload ? payload.chat_id : undefined;
  return { message_id: UNTOLD, date: 0, chat: { id } };
}
