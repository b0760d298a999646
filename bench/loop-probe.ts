/** Measures blocks of a bot's event loop, by a probe loaded into its process. */
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

/** The longest block since the last question, in ms: by the bot's own work, and by the clock. */
export async function longestBlocks(bot: BotProcess): Promise<z.infer<typeof blocks>> {
  const before = bot.told.length;
  bot.ask();
  while (bot.told.length === before) await delay(ASK_EVERY_MS);
  return blocks.parse(bot.told[before]);
}
