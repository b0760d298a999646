/** Applies the planned fault to a call. */
import { STATUS_CODES } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, tooManyRequests } from './api-error.ts';
import type { Fault, TelegramFaults } from './faults.ts';
import { errorReply, jsonReply, type Reply } from './reply.ts';

/** The reply to a call of `method`: the planned fault's, or that of `handle`. */
export async function suffer(
  faults: TelegramFaults,
  method: string,
  handle: () => Promise<Reply>,
): Promise<Reply> {
  if (faults.latency > 0) await sleep(faults.latency);
  const fault = faults.take(method);
  if (!fault) return handle();
  switch (fault.mode) {
    case 'reset':
      return 'reset';
    case 'hang':
      return 'silence';
    case 'lost':
      await handle();
      return 'reset';
    case 'hold':
      await fault.until;
      return handle();
    default:
      return faultReply(fault);
  }
}

function faultReply({ status, description, body, retryAfter }: Fault): Reply {
  const code = status ?? (retryAfter === undefined ? 500 : 429);
  if (typeof body === 'string') return { status: code, type: 'text/html', body };
  if (body !== undefined) return jsonReply(code, body);
  const usual = retryAfter === undefined ? undefined : tooManyRequests(retryAfter);
  const words = description ?? usual?.message ?? STATUS_CODES[code] ?? 'Error';
  return errorReply(new ApiError(code, words, usual?.parameters));
}
