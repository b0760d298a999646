/** `npm run sandbox`: the real bot against a local Telegram and a local service, and a page to chat with it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { populate } from './page/cast.ts';
import { startPage } from './page/page-server.ts';
import { startLocalService } from './service/local-service.ts';
import { startLocalTelegram } from './telegram/local-telegram.ts';

const DEFAULT_PORT = 8081;
const BOT_TOKEN = '1000000001:sandbox-token';

const port = Number(process.env.SANDBOX_PORT?.trim() || DEFAULT_PORT);
if (!Number.isInteger(port) || port < 0 || port > 65_535) {
  console.error('SANDBOX_PORT is not a port from 0 to 65535 (for example: SANDBOX_PORT=8081)');
  process.exit(1);
}

const service = await startLocalService();
const telegram = await startLocalTelegram({ token: BOT_TOKEN });
populate(telegram);
const page = await startPage({ telegram, service, port }).catch((error: unknown) => {
  const taken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
  console.error(
    taken ? `Port ${port} is taken. Choose another: SANDBOX_PORT=${port + 1} npm run sandbox` : error,
  );
  process.exit(1);
});

const folder = mkdtempSync(join(tmpdir(), 'lotsawa-sandbox-'));
const bot = startBot();
bot.once('exit', (code) => {
  if (stopping) return;
  console.error(`The bot ended by itself (exit code ${code}).`);
  void stop(1);
});

let stopping = false;
process.on('SIGINT', () => void stop(0));
process.on('SIGTERM', () => void stop(0));

await telegram.botReady();
console.log(`Lotsawa's sandbox is ready: open ${page.url}   (Ctrl-C stops it)`);

/** The bot as it runs for real: its own process, told where Telegram and the service are by its settings alone. */
function startBot(): ChildProcess {
  const { credentials } = service;
  return spawn(process.execPath, [fileURLToPath(new URL('../main.ts', import.meta.url))], {
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
      DATABASE_URL: `sqlite:${join(folder, 'lotsawa.db')}`,
      PORT: '0',
    },
  });
}

async function stop(exitCode: number): Promise<void> {
  if (stopping) return;
  stopping = true;
  if (bot.exitCode === null && bot.signalCode === null) {
    bot.kill('SIGTERM');
    await once(bot, 'exit');
  }
  await Promise.all([page.close(), telegram.close(), service.close()]);
  rmSync(folder, { recursive: true, force: true });
  process.exit(exitCode);
}
