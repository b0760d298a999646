/** Starts the intake of updates: by polling, or by a webhook, which it monitors and restores. */
import { TelegramError } from 'telegraf';
import type { UserFromGetMe, WebhookInfo } from 'telegraf/types';
import type { Log } from '../../log.ts';
import { patiently, sleep } from '../../patience.ts';
import { whileLeader } from '../../queue/processes.ts';
import type { Database } from '../../store/database.ts';
import type { BotApi } from '../api/api.ts';
import { type PollingOptions, poll } from './polling.ts';
import { ALLOWED_UPDATES } from './take-in.ts';

interface Webhook {
  /** Its route is served before updates are taken. */
  readonly url: string;
  readonly secret: string;
}

interface IntakeOptions extends PollingOptions {
  /** Where Telegram delivers updates; undefined for polling. */
  readonly webhook: Webhook | undefined;
  readonly database: Database;
  /** Called before the first poll, or once the webhook is set. */
  readonly onBegun: () => void;
}

/** Takes updates until `signal` aborts; processes take turns. The webhook stays set: updates wait, or another process takes them. */
export async function takeUpdates(options: IntakeOptions, signal: AbortSignal): Promise<void> {
  const { log, webhook, database, onBegun, onMove } = options;
  if (webhook !== undefined) await setWebhook(webhook, options, signal);
  if (signal.aborted) return;
  onBegun();
  if (webhook !== undefined) return keepWebhook(webhook, options, signal);
  await whileLeader(database, log, signal, async (signal) => {
    await poll(options, signal);
    // Another process may lead for a long time.
    onMove?.(Number.POSITIVE_INFINITY);
  });
}

/** The bot's account. Waits for Telegram; undefined after the abort of `signal`, and for a refused token, which it logs. */
export async function fetchAccount(
  api: BotApi,
  log: Log,
  signal: AbortSignal,
): Promise<UserFromGetMe | undefined> {
  const fetch = async () => {
    try {
      return await api.callApi('getMe', {}, { signal });
    } catch (error) {
      if (!(error instanceof TelegramError && (error.code === 401 || error.code === 404))) throw error;
      log.fatal('Telegram refused TELEGRAM_BOT_TOKEN: copy it again from @BotFather');
      return undefined;
    }
  };
  return persistently(signal, fetch, (error) => log.warn({ error }, 'Telegram is unreachable: retrying'));
}

/** Bot API, setWebhook: the maximum. A delivery takes no longer than a write to the disk. */
const MAX_CONNECTIONS = 100;
const FIRST_BACKOFF_MS = 1000;
const MAX_BACKOFF_MS = 30_000;

/** Sets the webhook, until the abort. Retries after a refusal, too: it may be temporary (a host name that Telegram cannot resolve yet). */
export async function setWebhook(
  { url, secret }: Webhook,
  { api, log }: Pick<IntakeOptions, 'api' | 'log'>,
  signal: AbortSignal,
): Promise<void> {
  const setting = {
    url,
    secret_token: secret,
    max_connections: MAX_CONNECTIONS,
    allowed_updates: ALLOWED_UPDATES,
  };
  await persistently(
    signal,
    () => api.callApi('setWebhook', setting, { signal }),
    (error) =>
      log.error({ error }, 'setting the webhook failed: Telegram is unreachable, or refuses WEBHOOK_URL'),
  );
}

/** Repeats the work until it succeeds, and returns its result; undefined after the abort. Calls `onFailure` for each failure before. */
function persistently<T>(
  signal: AbortSignal,
  work: () => Promise<T>,
  onFailure: (error: unknown) => void,
): Promise<T | undefined> {
  const waitAfter = (error: unknown, attempt: number): number => {
    if (!signal.aborted) onFailure(error);
    return Math.min(FIRST_BACKOFF_MS * 2 ** (attempt - 1), MAX_BACKOFF_MS);
  };
  return patiently(async () => (signal.aborted ? undefined : work()), waitAfter, { signal });
}

/** Time between two checks of the webhook, in ms. */
const CHECK_EVERY_MS = 60_000;

/**
 * Restores the webhook whenever another program with the same token has changed or removed it, and logs why Telegram cannot deliver to it,
 * until the abort. Call it right after `setWebhook`. `checkEveryMs` is for tests.
 */
export async function keepWebhook(
  webhook: Webhook,
  deps: Pick<IntakeOptions, 'api' | 'log'>,
  signal: AbortSignal,
  checkEveryMs = CHECK_EVERY_MS,
): Promise<void> {
  const { api, log } = deps;
  const check = (): Promise<WebhookInfo | undefined> =>
    api.callApi('getWebhookInfo', {}, { signal }).catch(() => undefined);

  let loggedErrorDate = (await check())?.last_error_date;
  while (!signal.aborted) {
    await sleep(checkEveryMs, signal);
    const now = await check();
    if (signal.aborted || now === undefined) continue;
    const { url, last_error_date, last_error_message, pending_update_count: waiting } = now;
    if (last_error_date !== undefined && last_error_date !== loggedErrorDate) {
      log.warn(
        { reason: last_error_message, waiting },
        'Telegram failed to deliver an update to WEBHOOK_URL',
      );
    }
    loggedErrorDate = last_error_date;
    if (url === webhook.url) continue;
    log.error('another program changed the webhook: setting it again');
    await setWebhook(webhook, deps, signal);
  }
}
