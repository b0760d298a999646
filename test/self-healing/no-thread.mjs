/** Loaded before the bot: starting a thread fails, as where no process is left. */
import { syncBuiltinESMExports } from 'node:module';
import threads from 'node:worker_threads';

threads.Worker = class {
  constructor() {
    throw Object.assign(new Error('EAGAIN'), { code: 'ERR_WORKER_INIT_FAILED' });
  }
};
syncBuiltinESMExports();
