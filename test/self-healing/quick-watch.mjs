/** Loaded before the bot: the thread that watches its event loop looks ten times as often, and so loses its patience ten times as soon. */
import { syncBuiltinESMExports } from 'node:module';
import threads from 'node:worker_threads';

threads.Worker = class extends threads.Worker {
  constructor(url, { workerData, ...options }) {
    const { everyMs } = workerData;
    super(url, { ...options, workerData: { ...workerData, everyMs: everyMs / 10 } });
  }
};
syncBuiltinESMExports();
