/** Starts taking updates in, once the bot knows its own account: by webhook where one is configured, else by polling. */
import { once } from 'node:events';
import { TelegramError } from 'telegraf';
import type { UserFromGetMe } from 'telegraf/types';
import type { Log } from '../../log.ts';
import { sleep } from '../../patience.ts';
import type { BotApi } from '../api/api.ts';
import { type PollingOptions, startPolling } from './polling.ts';
import { keepWebhook, removeWebhook, setWebhook } from './webhook.ts';

interface IntakeOptions extends PollingOptions {
  /** Where Telegram is to send updates, whose route is served already; undefined: they are polled. */
  readonly webhook: { readonly url: string; readonly secret: string } | undefined;
  /** Called when nothing is under way any more, and nothing to be expected. */
  readonly onRest?: () => void;
  /** Calls `poll` while this process is the one to poll, until the signals abort (queue/leadership.ts). */
  readonly whileLeader: (signal: AbortSignal, poll: (signal: AbortSignal) => Promise<void>) => Promise<void>;
  /** Told once Telegram has agreed to how updates come. */
  readonly onBegun: () => void;
}

interface Intake {
  /** Asks for no more updates. Telegram keeps the webhook: what comes meanwhile waits there, or another process takes it. */
  stop(): Promise<void>;
}

/** Begins at once, or as soon as Telegram can be reached. */
export function startIntake({ webhook, whileLeader, onBegun, ...options }: IntakeOptions): Intake {
  const aborter = new AbortController();
  const setup = { api: options.api, log: options.log, signal: aborter.signal };
  let polling: Promise<void> | undefined;

  const poll = async (signal: AbortSignal): Promise<void> => {
    const { stop } = startPolling(options);
    if (!signal.aborted) await once(signal, 'abort');
    await stop();
    options.onRest?.();
  };

  const begin = async (): Promise<void> => {
    const isAgreed = await (webhook === undefined ? removeWebhook(setup) : setWebhook(webhook, setup));
    if (!isAgreed) return;
    polling = webhook === undefined ? whileLeader(aborter.signal, poll) : keepWebhook(webhook, setup);
    onBegun();
  };
  const begun = begin();

  return {
    stop: async () => {
      aborter.abort();
      await begun;
      await polling;
    },
  };
}

const BACKOFF_MS = 3000;

/** The account. Telegram being out of reach is waited for; a refused token is logged, and gives undefined as the abort of `signal` does. */
export async function whoAmI(api: BotApi, log: Log, signal: AbortSignal): Promise<UserFromGetMe | undefined> {
  while (!signal.aborted) {
    try {
      return await api.callApi('getMe', {}, { signal });
    } catch (error) {
      if (signal.aborted) break;
      if (error instanceof TelegramError && (error.code === 401 || error.code === 404)) {
        log.fatal('TELEGRAM_BOT_TOKEN is not known to Telegram: copy it from BotFather once more');
        return undefined;
      }
      log.warn({ error }, 'Telegram cannot be reached yet');
      await sleep(BACKOFF_MS, signal);
    }
  }
  return undefined;
}
