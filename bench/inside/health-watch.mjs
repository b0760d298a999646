// A thread that asks for /healthz every few ms, each time once the last answer is there: its own loop is never late.
import { setTimeout as delay } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

const ASK_EVERY_MS = 10;
const { url } = workerData;
let longestMs = 0;
let askedAt;

parentPort.on('message', () => {
  const running = askedAt === undefined ? 0 : performance.now() - askedAt;
  parentPort.postMessage(Math.max(longestMs, running));
  longestMs = 0;
});

for (;;) {
  askedAt = performance.now();
  const answer = await fetch(url).catch(() => undefined);
  await answer?.arrayBuffer();
  longestMs = Math.max(longestMs, performance.now() - askedAt);
  askedAt = undefined;
  await delay(ASK_EVERY_MS);
}
