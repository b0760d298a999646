/** Reading an answer's body as text, of bounded size and within bounded time. */
import { isUtf8 } from 'node:buffer';
import { ServiceFailure } from '../failure.ts';
import type { Answer } from '../transport/transport.ts';

/** Generous: 3000 code points, or the text of one page, are some tens of kB. A longer text would take long to read and to cut. */
const MAX_TEXT_BYTES = 500_000;
/** How long a text may take from its head to its end, in ms: the connection's own timeout bounds only the wait for the next byte. */
const LONGEST_TEXT_MS = 60_000;

/**
 * The whole body as UTF-8 text; empty where it is not UTF-8, since text decoded by a guess would be believed. Throws `malformed`
 * beyond 500 kB, `in-doubt` when it takes longer than a minute, and what `Answer.bytes` throws.
 */
export async function readText(answer: Answer): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  const checkTime = textDeadline();
  for await (const chunk of answer.bytes) {
    checkTime();
    length += chunk.length;
    if (length > MAX_TEXT_BYTES) {
      throw new ServiceFailure('malformed', 'the answer is too large', { outcome: 'in-doubt' });
    }
    chunks.push(chunk);
  }
  const bytes = Buffer.concat(chunks);
  return isUtf8(bytes) ? new TextDecoder().decode(bytes) : '';
}

/** Makes a function that throws `in-doubt` once a text that began now takes too long. */
export function textDeadline(): () => void {
  const until = performance.now() + LONGEST_TEXT_MS;
  return () => {
    if (performance.now() <= until) return;
    throw new ServiceFailure('in-doubt', 'the answer comes too slowly', { outcome: 'in-doubt' });
  };
}
