/** The last word on a request that was given up: its sender hears of it, whatever state the rest is in. */
import { z } from 'zod';
import { interfaceLanguage } from '../language/interface-language.ts';
import type { Log } from '../log.ts';
import type { BotApi } from './api.ts';
import type { Words } from './locale.ts';

const message = z.object({
  message_id: z.number(),
  chat: z.object({ id: z.number() }),
  from: z.object({ language_code: z.string().optional() }).optional(),
});
const sender = z.union([
  z.object({ message }).transform((update) => update.message),
  z.object({ callback_query: z.object({ message, from: message.shape.from }) }).transform((update) => ({
    ...update.callback_query.message,
    from: update.callback_query.from,
  })),
]);

/** Tells the sender of an update that it could not be handled; what has no sender, or cannot be reached, is logged. */
export function apologise(api: BotApi, words: Words, log: Log, update: unknown): void {
  const parsed = sender.safeParse(update);
  if (!parsed.success) return;
  const { chat, from, message_id } = parsed.data;
  api
    .sendMessage(chat.id, words(interfaceLanguage(from?.language_code), 'given-up'), {
      reply_parameters: { message_id, allow_sending_without_reply: true },
    })
    .catch((error: unknown) => log.warn({ error }, 'an apology was not delivered'));
}
