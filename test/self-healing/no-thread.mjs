/** Loaded before the bot: no thread can be had, as on a machine that has no process left. */
import { syncBuiltinESMExports } from 'node:module';
import threads from 'node:worker_threads';

threads.Worker = class {
  constructor() {
    throw Object.assign(new Error('EAGAIN'), { code: 'ERR_WORKER_INIT_FAILED' });
  }
};
syncBuiltinESMExports();
