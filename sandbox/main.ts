/** `npm run sandbox`: the real bot against a local Telegram and a local service, and a page to chat with it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { populate } from './page/cast.ts';
import { startPage } from './page/page-server.ts';
import { watchSavings } from './page/savings.ts';
import { startLocalService } from './service/local-service.ts';
import { startLocalTelegram } from './telegram/local-telegram.ts';

const DEFAULT_PORT = 8081;
const BOT_TOKEN = '1000000001:sandbox-token';

const port = Number(process.env.SANDBOX_PORT?.trim() || DEFAULT_PORT);
if (!Number.isInteger(port) || port < 0 || port > 65_535) {
  console.error('SANDBOX_PORT is not a port from 0 to 65535 (for example: SANDBOX_PORT=8081)');
  process.exit(1);
}

/** What has to be ended, the latest first. */
const endings: (() => unknown)[] = [];
let stopping = false;
process.on('SIGINT', () => void stop(0));
process.on('SIGTERM', () => void stop(0));

const service = await startLocalService();
endings.push(() => service.close());
const telegram = await startLocalTelegram({ token: BOT_TOKEN });
endings.push(() => telegram.close());
const { tenzin } = populate(telegram);

const folder = mkdtempSync(join(tmpdir(), 'lotsawa-sandbox-'));
endings.push(() => rmSync(folder, { recursive: true, force: true }));
const databaseFile = join(folder, 'lotsawa.db');
const bot = startBot();
endings.push(() => stopBot());
bot.once('exit', (code) => {
  if (!stopping) void stop(1, `The bot ended by itself (exit code ${code}).`);
});
await telegram.botReady();

const savings = watchSavings(databaseFile);
endings.push(() => savings.close());
try {
  const page = await startPage({ telegram, service, savings, port });
  endings.push(() => page.close());
  console.log(`Lotsawa's sandbox is ready: open ${page.url}   (Ctrl-C stops it)`);
} catch (error) {
  const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
  const advice = `Port ${port} is taken. Choose another: SANDBOX_PORT=${port + 1} npm run sandbox`;
  await stop(1, isTaken ? advice : String(error));
}

/** The bot as it runs for real: its own process, told where Telegram and the service are by its settings alone. */
function startBot(): ChildProcess {
  const { credentials } = service;
  return spawn(process.execPath, [fileURLToPath(new URL('../src/main.mjs', import.meta.url))], {
    // A group of its own, so that Ctrl-C reaches the bot once, from here.
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      PATH: process.env.PATH,
      LOG_LEVEL: process.env.LOG_LEVEL ?? 'error',
      TELEGRAM_BOT_TOKEN: BOT_TOKEN,
      TELEGRAM_API_ROOT: telegram.apiRoot,
      SERVICE_AUTH_URL: service.url,
      SERVICE_BASE_URL: service.url,
      SERVICE_API_KEY: credentials.apiKey,
      SERVICE_SECRET_KEY: credentials.secretKey,
      SERVICE_X_SECRET: credentials.xSecret,
      DATABASE_URL: `sqlite:${databaseFile}`,
      // So that /stats can be tried, too.
      ADMIN_IDS: String(tenzin.id),
      PORT: '0',
    },
  });
}

async function stopBot(): Promise<void> {
  if (bot.exitCode !== null || bot.signalCode !== null) return;
  bot.kill('SIGTERM');
  await once(bot, 'exit');
}

async function stop(exitCode: number, reason?: string): Promise<void> {
  if (stopping) return;
  stopping = true;
  if (reason !== undefined) console.error(reason);
  for (const end of endings.reverse()) await end();
  process.exit(exitCode);
}
