/** What Telegram's answer to a call means: its result, a refusal, or nobody's answer at all. */
import { TelegramError } from 'telegraf';
import { z } from 'zod';
import type { WholeResponse } from './http-exchange.ts';
import { NetworkError } from './network-error.ts';

/** Bot API, "Making requests" and `ResponseParameters`. */
const refusal = z.object({
  error_code: z.number(),
  description: z.string().catch(''),
  parameters: z
    .object({
      retry_after: z.number().optional().catch(undefined),
      migrate_to_chat_id: z.number().optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
});

/**
 * The result, undefined where the answer has none; told by the body, whatever status and type it claims. Throws `TelegramError` for a
 * refusal and for any other body under 413 or 5xx, and `NetworkError` for what is no answer of the Bot API's (a proxy's page).
 */
export function resultOf(
  { status, statusText, body }: WholeResponse,
  on: { method: string; payload: object },
) {
  const answer = parsed(body);
  if (answer !== undefined && 'ok' in answer && answer.ok === true) {
    return 'result' in answer ? answer.result : undefined;
  }
  // A proxy before a server of one's own says this with a page; the same would be too large however often it is sent.
  if (status >= 500 || status === 413)
    throw new TelegramError({ error_code: status, description: statusText }, on);
  const refused = refusal.safeParse(answer);
  if (!refused.success) throw new NetworkError('NOT_BOT_API');
  throw new TelegramError(refused.data, on);
}

function parsed(body: string): object | undefined {
  try {
    const answer: unknown = JSON.parse(body.replace(/^\ufeff/, ''));
    return typeof answer === 'object' && answer !== null ? answer : undefined;
  } catch {
    // The parser's words repeat the text.
    return undefined;
  }
}
