/** Background work: menus and profile at Telegram, pruning, leaving groups, and the test of the encoder. */
import { VOCABULARY } from '../bot.ts';
import { sleep } from '../patience.ts';
import type { Access } from '../store/access/access.ts';
import { prune } from '../store/erasure.ts';
import type { BotApi } from '../telegram/api/api.ts';
import { unlessRefused } from '../telegram/api/api-errors.ts';
import { registerCommands, registerProfile } from '../telegram/profile.ts';
import { EXIT_CODES } from './config.ts';
import type { Deps } from './deps.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** In ms: the first request for updates goes out before the encoder is tested. */
const CHECK_AFTER_MS = 50;
/** Delay of the first pruning, in ms: after a long downtime it is much work, and answers go first. */
const PRUNE_AFTER_MS = 10_000;
const PRUNE_EVERY_MS = 60 * 60 * 1000;
const LEAVE_EVERY_MS = 60_000;
/** How long the bot stays in a group that no admin lets in, in ms. */
const STAYS_UNASKED_MS = DAY_MS;

/** Starts all of it, until `signal` aborts; logs failures. Stops a bot that cannot encode, as SIGTERM does. */
export function startUpkeep(
  { database, api, words, log, access, voiceEncoder, adminIds, resultsTtlDays }: Deps,
  signal: AbortSignal,
): void {
  const every = async (ms: number, firstMs: number, problem: string, work: () => Promise<void>) => {
    await sleep(firstMs, signal);
    while (!signal.aborted) {
      await work().catch((error: unknown) => log.warn({ error }, problem));
      await sleep(ms, signal);
    }
  };
  registerCommands(api, words, adminIds, VOCABULARY.commands).catch((error: unknown) =>
    log.warn({ error }, 'registering the command menu failed'),
  );
  registerProfile(api, words).catch((error: unknown) =>
    log.warn({ error }, 'registering the profile failed'),
  );
  void every(PRUNE_EVERY_MS, PRUNE_AFTER_MS, 'pruning failed', () =>
    prune(database, resultsTtlDays * DAY_MS, signal),
  );
  if (!access.isOpen)
    void every(LEAVE_EVERY_MS, 0, 'leaving groups that nobody let in failed', () =>
      leaveStrangers(api, access, database.now()),
    );
  setTimeout(() => {
    voiceEncoder.warm().catch((error: unknown) => {
      // Ctrl-C in a terminal ends the ffmpeg under test, too.
      if (signal.aborted) return;
      log.fatal({ error }, 'voice notes cannot be encoded: the process ends');
      process.exitCode = EXIT_CODES.failure;
      process.kill(process.pid, 'SIGTERM');
    });
  }, CHECK_AFTER_MS);
}

/** Leaves groups that no admin has let in, up to 100 a minute, and deletes their requests, even if the bot is no longer in them. */
async function leaveStrangers(api: BotApi, { admissions }: Access, now: number): Promise<void> {
  for (const group of await admissions.groupsAsking(now - STAYS_UNASKED_MS)) {
    // Leaving the others may have taken long: an admin may have let this one in since.
    if ((await admissions.find(group))?.standing !== 'asking') continue;
    await unlessRefused(api.leaveChat(Number(group)));
    await admissions.withdraw(group);
  }
}
