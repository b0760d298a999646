/** The three bots under the same load: how each is started. */
import { fileURLToPath } from 'node:url';
import { BOT_TOKEN } from './load/telegram.ts';
import { type BotProcess, startBot } from './process.ts';

export type BotName = 'lotsawa' | 'grammy' | 'telegraf';

/** The servers of a bot, and where and how it runs. */
export interface Surroundings {
  readonly telegramUrl: string;
  readonly serviceUrl: string;
  /** An own folder, for its database. */
  readonly folder: string;
  readonly nodeOptions: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The settings of `npm start`. */
const AS_STARTED = {
  NODE_COMPILE_CACHE: here('../node_modules/.cache/compiled'),
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '262144',
};
const V8_LIMITS = ['--min-semi-space-size=8', '--max-semi-space-size=8', '--heap-growing-percent=100'];

/** Set to the ffmpeg of its image (scripts/encoder.sh), Lotsawa is measured as its image runs it; the others run the machine's. */
const { FFMPEG_PATH } = process.env;

/** Limits are on, but too high to be met. */
const MANY = '100000000';

/** Starts a bot, as its own project would run it. */
export function startNamed(name: BotName, surroundings: Surroundings): BotProcess {
  const { telegramUrl, serviceUrl, folder, nodeOptions, env } = surroundings;
  const told = {
    TELEGRAM_BOT_TOKEN: BOT_TOKEN,
    TELEGRAM_API_ROOT: telegramUrl,
    SERVICE_AUTH_URL: serviceUrl,
    SERVICE_BASE_URL: serviceUrl,
    SERVICE_API_KEY: 'key',
    SERVICE_SECRET_KEY: 'secret',
    SERVICE_X_SECRET: 'secret',
  };
  if (name !== 'lotsawa') {
    return startBot({ program: here(`peers/${name}.ts`), env: told, cwd: folder, nodeOptions });
  }
  const own = {
    ...told,
    DATABASE_URL: `sqlite:${folder}/lotsawa.db`,
    DAILY_CALLS_PER_USER: MANY,
    DAILY_CALLS_PER_GROUP: MANY,
    DAILY_BUDGET_YUAN: MANY,
    ...AS_STARTED,
    ...(FFMPEG_PATH && { FFMPEG_PATH }),
    ...env,
  };
  return startBot({
    program: here('../src/main.mjs'),
    env: own,
    cwd: folder,
    nodeOptions,
    v8Limits: V8_LIMITS,
  });
}
