/** `node sandbox/main.ts -- COMMAND…`: any bot against a local Telegram and a local service, and a page to chat with it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { populate } from './page/cast.ts';
import { startPage } from './page/page-server.ts';
import { startLocalService } from './service/local-service.ts';
import { startLocalTelegram } from './telegram/local-telegram.ts';

const DEFAULT_PORT = 8081;
const BOT_TOKEN = '1000000001:sandbox-token';
/** How often to see whether npm still runs, in ms. */
const LOOK_AGAIN_MS = 1000;

const [separator, program, ...args] = process.argv.slice(2);
if (separator !== '--' || program === undefined) {
  console.error('node sandbox/main.ts -- COMMAND…   for example: node sandbox/main.ts -- python bot.py');
  process.exit(1);
}
const port = Number(process.env.SANDBOX_PORT?.trim() || DEFAULT_PORT);
if (!Number.isInteger(port) || port < 0 || port > 65_535) {
  console.error('SANDBOX_PORT is not a port from 0 to 65535 (for example: SANDBOX_PORT=8081)');
  process.exit(1);
}

/** What to end, the latest first. */
const endings: (() => unknown)[] = [];
let stopping = false;
process.on('SIGINT', () => void stop(0));
process.on('SIGTERM', () => void stop(0));
// The terminal, or the ssh connection, is closed.
process.on('SIGHUP', () => void stop(0));
// Of the signals that end npm it passes on two; after any other the sandbox would go on unseen.
const { ppid } = process;
if (process.env.npm_lifecycle_event !== undefined)
  setInterval(() => process.ppid === ppid || void stop(0), LOOK_AGAIN_MS).unref();

const service = await startLocalService();
endings.push(() => service.close());
const telegram = await startLocalTelegram({ token: BOT_TOKEN });
endings.push(() => telegram.close());
populate(telegram);

const folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
endings.push(() => rmSync(folder, { recursive: true, force: true }));
const bot = spawn(program, args, {
  // A process group of its own, so that Ctrl-C reaches the bot once, from here, and whatever it has started, too.
  detached: true,
  stdio: ['ignore', 'inherit', 'inherit'],
  env: {
    ...process.env,
    TELEGRAM_BOT_TOKEN: BOT_TOKEN,
    TELEGRAM_API_ROOT: telegram.apiRoot,
    SERVICE_AUTH_URL: service.url,
    SERVICE_BASE_URL: service.url,
    SERVICE_API_KEY: service.credentials.apiKey,
    SERVICE_SECRET_KEY: service.credentials.secretKey,
    SERVICE_X_SECRET: service.credentials.xSecret,
    SANDBOX_FOLDER: folder,
  },
});
endings.push(() => stopBot(bot));
bot.once('error', (error) => void stop(1, `${program} cannot be started: ${error.message}`));
bot.once('exit', (code) => void stop(1, `The bot ended by itself (exit code ${code}).`));
await telegram.botReady().catch((error: Error) => stop(1, error.message));

try {
  const page = await startPage({ telegram, service, port });
  endings.push(() => page.close());
  console.log(`The sandbox is ready: open ${page.url}   (Ctrl-C stops it)`);
} catch (error) {
  const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
  await stop(
    1,
    isTaken ? `Port ${port} is taken: choose another with SANDBOX_PORT=${port + 1}` : String(error),
  );
}

/** Lets the bot finish its work, as a server's shutdown would; a second Ctrl-C does not wait. */
async function stopBot({ pid, exitCode, signalCode }: ChildProcess): Promise<void> {
  if (pid === undefined) return;
  const signal = (name: NodeJS.Signals): void => {
    try {
      process.kill(-pid, name);
    } catch {
      // The whole group has ended.
    }
  };
  if (exitCode === null && signalCode === null) {
    const ended = once(bot, 'exit');
    // Not at once: npm passes on the Ctrl-C that the terminal has sent already.
    setTimeout(() => process.once('SIGINT', () => signal('SIGKILL')), 1000);
    signal('SIGTERM');
    await ended;
  }
  signal('SIGKILL');
}

async function stop(exitCode: number, reason?: string): Promise<void> {
  if (stopping) return;
  stopping = true;
  if (reason !== undefined) console.error(reason);
  for (const end of endings.reverse()) await end();
  process.exit(exitCode);
}
