/** Loaded before the bot: what it waits a minute for comes after a tenth of a second. */
import { syncBuiltinESMExports } from 'node:module';
import promises from 'node:timers/promises';

const wait = promises.setTimeout;
promises.setTimeout = (ms, ...rest) => wait(ms === 60_000 ? 100 : ms, ...rest);
syncBuiltinESMExports();
