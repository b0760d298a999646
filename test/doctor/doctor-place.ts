/** Where the doctor is asked: a place without a bot, and the settings that lead there. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect } from 'vitest';
import { examine } from '../../src/doctor/doctor.ts';
import { describeFinding } from '../../src/doctor/finding.ts';
import { type BotPlace, openBotPlace } from '../bot-place.ts';
import type { BotProcess } from '../bot-process.ts';
import { freePort } from '../free-port.ts';
import { aJpeg } from '../pictures.ts';

type Settings = Record<string, string>;

/** What the doctor says, line by line. */
export interface Found {
  readonly all: readonly string[];
  readonly wrong: readonly string[];
  /** The first line with these words. */
  line(part: string): string;
}

export interface DoctorPlace {
  readonly place: BotPlace;
  /** May be changed. */
  settings: Settings;
  /** With these settings; resolves when it is ready and asks for updates. */
  startBot(): Promise<BotProcess>;
  /** What the doctor finds, in this process: most of one of its own would be the start. */
  examined(changes?: Settings, wishes?: { readonly mayPay?: boolean }): Promise<Found>;
  close(): Promise<void>;
}

/** With the local Telegram and service running, and a port for the bot. */
export async function openDoctorPlace(): Promise<DoctorPlace> {
  const place = await openBotPlace();
  // By which the doctor sees that files are handed out.
  await place.telegram.setBotPicture(await aJpeg());
  const here: DoctorPlace = {
    place,
    settings: { ...place.settings, DAILY_BUDGET_YUAN: '', PORT: String(await freePort()) },
    startBot: async () => {
      const bot = place.start(here.settings);
      await bot.says('"ready"');
      await place.telegram.botReady();
      return bot;
    },
    examined: async (changes = {}, { mayPay = false } = {}) => {
      const env = { ...here.settings, ...changes };
      const lines: string[] = [];
      for await (const finding of examine(env, mayPay)) lines.push(describeFinding(finding));
      return readLines(lines.join('\n'), env);
    },
    close: () => place.close(),
  };
  return here;
}

/** Of all that the doctor wrote with these settings; none of their secrets may be in it. */
export function readLines(output: string, env: Settings): Found {
  const secrets = [env.TELEGRAM_BOT_TOKEN, env.SERVICE_API_KEY, env.SERVICE_SECRET_KEY, env.SERVICE_X_SECRET];
  for (const secret of secrets) if (secret) expect(output).not.toContain(secret);
  const all = output.split('\n').filter((line) => /^[✓✗–] /.test(line));
  return {
    all,
    wrong: all.filter((line) => line.startsWith('✗')),
    line: (part) => all.find((line) => line.includes(part)) ?? '',
  };
}

/** A program that has nothing to do with the bot: it answers with these words, on a free port unless told which. */
export async function startPage(words: string, port = 0) {
  const server = createServer((_request, response) => response.end(words)).listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const opened = typeof address === 'object' ? address?.port : undefined;
  return { url: `http://127.0.0.1:${opened}`, close: () => server.close() };
}
