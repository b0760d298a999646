/** Sends an answer, whole or damaged as a fault demands. */
import type { ServerResponse } from 'node:http';
import type { ServiceAnswer } from './answers.ts';
import { firstHalf, type Pace, paced, pause, torn, withoutLastByte } from './audio-stream.ts';
import type { Fault } from './fault-catalogue.ts';

interface Delivery {
  readonly response: ServerResponse;
  readonly fault: Fault | undefined;
  readonly pace: Pace;
  /** True: audio leaves in chunks of odd sizes. */
  readonly isTorn: boolean;
  /** Aborted when the connection has closed. */
  readonly gone: AbortSignal;
  /** Called just before the last byte leaves, so that a client with the whole answer finds its end in the log. */
  readonly completing: () => void;
}

/** Sends the answer; false when it broke off: a fault asked for it, the engine failed midway, or the caller left. */
export function deliver(answer: ServiceAnswer, delivery: Delivery): Promise<boolean> {
  const { body } = answer;
  return Buffer.isBuffer(body) ? sendReady(answer, body, delivery) : sendAudio(answer, body, delivery);
}

/** `break-off` sends half of the body under the length of the whole. */
async function sendReady(answer: ServiceAnswer, body: Buffer, delivery: Delivery): Promise<boolean> {
  const { response, fault, pace, gone, completing } = delivery;
  await pause(pace.msBeforeFirst, gone);
  if (gone.aborted) return false;
  response.writeHead(answer.status, { ...answer.headers, 'content-length': body.length });
  if (fault?.type === 'break-off') {
    await write(body.subarray(0, Math.ceil(body.length / 2)), delivery);
    return false;
  }
  completing();
  response.end(body);
  return true;
}

async function sendAudio(
  answer: ServiceAnswer,
  body: AsyncIterable<Buffer>,
  delivery: Delivery,
): Promise<boolean> {
  const { response, fault, pace, isTorn, gone, completing } = delivery;
  let audio = body;
  if (fault?.type === 'break-off') audio = firstHalf(audio);
  if (fault?.type === 'odd-bytes') audio = withoutLastByte(audio);
  if (isTorn) audio = torn(audio);
  try {
    response.writeHead(answer.status, answer.headers);
    for await (const chunk of paced(audio, pace, gone)) await write(chunk, delivery);
  } catch {
    return false;
  }
  if (gone.aborted || fault?.type === 'break-off') return false;
  completing();
  response.end();
  return true;
}

/** Resolves when the chunk is with the system, so that it is sent even if the connection is cut next; or when the caller left. */
function write(chunk: Buffer, { response, gone }: Delivery): Promise<void> {
  return new Promise((resolve) => {
    if (gone.aborted) return resolve();
    const done = () => {
      gone.removeEventListener('abort', done);
      resolve();
    };
    gone.addEventListener('abort', done, { once: true });
    response.write(chunk, done);
  });
}
