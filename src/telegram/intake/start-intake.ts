/** Starts taking updates in: by webhook where one is configured, else by polling. */
import { once } from 'node:events';
import { type PollingOptions, startPolling } from './polling.ts';
import { keepWebhook } from './webhook-keeping.ts';
import { removeWebhook, setWebhook } from './webhook-setup.ts';

export interface IntakeOptions extends PollingOptions {
  /** Where Telegram is to send updates, whose route is served already; undefined: they are polled. */
  readonly webhook: { readonly url: string; readonly secret: string } | undefined;
  /** Called when nothing is under way any more, and nothing to be expected. */
  readonly onRest?: () => void;
  /** Calls `poll` while this process is the one to poll, until the signals abort (queue/leadership.ts). */
  readonly whileLeader: (signal: AbortSignal, poll: (signal: AbortSignal) => Promise<void>) => Promise<void>;
  /** Told once Telegram has agreed to how updates come. */
  readonly onBegun: () => void;
}

export interface Intake {
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
