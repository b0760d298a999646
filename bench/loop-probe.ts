/** What holds a bot's event loop up, measured inside its process by a probe that is loaded with it. */
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { BotProcess } from './process.ts';

/** Node's options for a process with the probe. */
export const LOOP_PROBE = [
  '--disable-warning=ExperimentalWarning',
  '--import',
  new URL('inside/loop-blocks.ts', import.meta.url).pathname,
];

const ASK_EVERY_MS = 5;

const blocks = z.object({ longestCpuMs: z.number(), longestWallMs: z.number() });

/** The longest that the loop was held up since this was last asked, in ms: by the bot's own work, and by the clock. */
export async function longestBlocks(bot: BotProcess): Promise<z.infer<typeof blocks>> {
  const before = bot.told.length;
  bot.ask();
  while (bot.told.length === before) await delay(ASK_EVERY_MS);
  return blocks.parse(bot.told[before]);
}
