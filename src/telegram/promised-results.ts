/** What of a result the bot cannot do without: an answer that says yes and lacks it is somebody else's, or trouble of Telegram's own. */
import { z } from 'zod';

/** Bot API, by method; files.ts looks at what `getFile` gives. */
const PROMISED: ReadonlyMap<string, z.ZodType> = new Map<string, z.ZodType>([
  ['getUpdates', z.array(z.unknown())],
  ['getMe', z.looseObject({ id: z.int(), username: z.string() })],
  ['getChat', z.looseObject({ id: z.int() })],
  ['getChatMember', z.looseObject({ status: z.string() })],
  ['getWebhookInfo', z.looseObject({ url: z.string(), allowed_updates: z.array(z.string()).optional() })],
  ['getMyDescription', z.looseObject({ description: z.string() })],
  ['getMyShortDescription', z.looseObject({ short_description: z.string() })],
]);

/** Whether a result is what `method` promises, as far as the bot relies on it. What was sent is sent, whatever Telegram tells of it. */
export function isPromised(method: string, result: unknown): boolean {
  if (result === undefined || (result === null && method.startsWith('send'))) return false;
  return PROMISED.get(method)?.safeParse(result).success ?? true;
}
