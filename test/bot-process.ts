/** The real bot as a process of its own, told where Telegram and the service are by its settings alone. */
import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { LocalService } from '../sandbox/service/local-service.ts';
import type { LocalTelegram } from '../sandbox/telegram/local-telegram.ts';

const MAIN = fileURLToPath(new URL('../src/main.mjs', import.meta.url));
/** As `npm start` sets it. */
export const COMPILED = {
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)),
};
export const TOKEN = '1000000001:test-token-secret';

export interface BotProcess {
  /** All that it wrote, to both outputs. */
  readonly output: () => string;
  readonly pid: number | undefined;
  /** The exit code once it has ended, or the signal that killed it. */
  readonly exited: Promise<Ending>;
  /** Resolves when it has written these words; rejects when it ends without them. */
  says(words: string): Promise<void>;
  /** Sends the signal, SIGTERM unless given, and resolves as `exited`. */
  stop(signal?: NodeJS.Signals): Promise<Ending>;
}

type Ending = number | NodeJS.Signals | null;

export interface BotFolder {
  readonly path: string;
  remove(): void;
}

/** A folder for a bot's database; it outlives the process, as after a restart. */
export function makeBotFolder(): BotFolder {
  const path = mkdtempSync(join(tmpdir(), 'lotsawa-test-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** The settings of a bot between these two servers. */
export function botEnvironment(
  telegram: LocalTelegram,
  service: LocalService,
  folder: BotFolder,
): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '',
    TELEGRAM_BOT_TOKEN: TOKEN,
    TELEGRAM_API_ROOT: telegram.apiRoot,
    SERVICE_AUTH_URL: service.url,
    SERVICE_BASE_URL: service.url,
    SERVICE_API_KEY: service.credentials.apiKey,
    SERVICE_SECRET_KEY: service.credentials.secretKey,
    SERVICE_X_SECRET: service.credentials.xSecret,
    DATABASE_URL: `sqlite:${join(folder.path, 'lotsawa.db')}`,
    PORT: '0',
    // A file of tests may make more calls than a day's default budget pays for.
    DAILY_BUDGET_YUAN: '0',
    LOG_LEVEL: 'debug',
  };
}

/** The messages at this level (`warn`, `error`, `fatal`) in a bot's output. */
export function messagesAt(level: string, output: string): string[] {
  const lines = output.split('\n').filter((line) => line.startsWith('{'));
  return lines.map((line) => JSON.parse(line)).flatMap((line) => (line.level === level ? [line.msg] : []));
}

interface ProcessOptions {
  /** Where its standard output goes: an open file of ours; else it is in `output`. */
  readonly stdout?: number;
}

const running = new Set<ChildProcess>();
// The run of tests has ended midway: this worker ends, too, and leaves no bot behind.
process.once('disconnect', () => {
  for (const child of running) child.kill('SIGKILL');
  process.kill(process.pid);
});

/** Starts the bot with these settings and nothing else. */
export function startBotProcess(
  env: Record<string, string>,
  folder: BotFolder,
  { stdout }: ProcessOptions = {},
): BotProcess {
  const child: ChildProcess = spawn(process.execPath, [MAIN], {
    env: { ...COMPILED, ...env },
    cwd: folder.path,
    stdio: ['ignore', stdout ?? 'pipe', 'pipe'],
  });
  let output = '';
  running.add(child);
  const exited = once(child, 'exit').then(() => {
    running.delete(child);
    return child.exitCode ?? child.signalCode;
  });
  const heard = new EventEmitter();
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      heard.emit('words');
    });
  }
  return {
    output: () => output,
    pid: child.pid,
    exited,
    says: async (words) => {
      const ended = exited.then(() => true);
      while (!output.includes(words)) {
        const hasEnded = await Promise.race([ended, once(heard, 'words').then(() => false)]);
        if (hasEnded && !output.includes(words)) throw new Error(`the bot ended without saying: ${words}`);
      }
    },
    stop: async (signal = 'SIGTERM') => {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      return exited;
    },
  };
}
