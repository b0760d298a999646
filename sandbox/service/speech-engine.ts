/** Speech by a worker thread, piece by piece of the text, each sent on while the next is made. */
import { once } from 'node:events';
import { MessageChannel, Worker } from 'node:worker_threads';
import { BYTES_PER_SAMPLE, SAMPLE_RATE_HZ } from './engines.ts';
import { speechPieces } from './sentences.ts';
import type { SpeechJob } from './speech-worker.ts';

/** What a text that has no sound (only symbols) is filled up to with silence. */
const SHORTEST_SPEECH_MS = 300;

/** One thread, started with the first text; texts asked for at once take turns piece by piece. */
export function createSpeechEngine() {
  let thread: Worker | undefined;

  const threadInUse = (): Worker => {
    if (thread === undefined) {
      const started = new Worker(new URL('./speech-worker.ts', import.meta.url));
      const forget = () => {
        if (thread === started) thread = undefined;
      };
      // A thread that died is replaced by the next text; the texts it was speaking see their port close.
      started.once('exit', forget).once('error', forget);
      thread = started;
    }
    return thread;
  };

  async function* speak(text: string, variety: SpeechJob['variety'], voice: SpeechJob['voice']) {
    let bytes = 0;
    for (const piece of speechPieces(text))
      for (const chunk of await speakPiece(threadInUse(), { text: piece, variety, voice })) {
        bytes += chunk.length;
        yield chunk;
      }
    const missing = (SHORTEST_SPEECH_MS / 1000) * SAMPLE_RATE_HZ * BYTES_PER_SAMPLE - bytes;
    if (missing > 0) yield Buffer.alloc(missing);
  }

  return {
    speak,
    async close() {
      await thread?.terminate();
    },
  };
}

async function speakPiece(thread: Worker, job: Omit<SpeechJob, 'port'>): Promise<Buffer[]> {
  const { port1, port2 } = new MessageChannel();
  const died = once(port1, 'close').then(() => {
    throw new Error('The speaking thread ended before its text');
  });
  try {
    thread.postMessage({ ...job, port: port2 } satisfies SpeechJob, [port2]);
    const [utterances]: Int16Array[][] = await Promise.race([once(port1, 'message'), died]);
    return (utterances ?? [])
      .filter(({ length }) => length > 0)
      .map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength));
  } finally {
    port1.close();
  }
}
