/** Watches that Telegram goes on delivering as it was told to: whoever has the token can change that, and Telegram tells nobody. */
import type { WebhookInfo } from 'telegraf/types';
import { sleep } from '../../patience.ts';
import { setWebhook, type WebhookSetup } from './webhook-setup.ts';

/** How often it is looked, in ms. */
const LOOK_AGAIN_MS = 60_000;

/**
 * Sets the webhook anew whenever somebody else has changed or removed it (a second bot with the same token), until the abort;
 * meant for a webhook that was set just now. `lookEveryMs` is for tests.
 */
export async function keepWebhook(
  webhook: { readonly url: string; readonly secret: string },
  setup: WebhookSetup,
  lookEveryMs = LOOK_AGAIN_MS,
): Promise<void> {
  const { api, log, signal } = setup;
  const look = (): Promise<WebhookInfo | undefined> =>
    api.callApi('getWebhookInfo', {}, { signal }).catch(() => undefined);

  let asItWasSet = await look();
  while (!signal.aborted) {
    await sleep(lookEveryMs, signal);
    const now = await look();
    if (signal.aborted || now === undefined) continue;
    const problem = problemOf(now, asItWasSet, webhook.url);
    asItWasSet ??= now;
    if (problem === undefined) continue;
    log.error(`${problem}: it is set anew`);
    if (await setWebhook(webhook, setup)) asItWasSet = await look();
  }
}

/**
 * Compared with what Telegram told when the webhook was set, not with what was asked for: a Bot API server of one's own may allow
 * fewer connections.
 */
function problemOf(now: WebhookInfo, asItWasSet: WebhookInfo | undefined, url: string): string | undefined {
  if (now.url !== url) return 'the webhook was changed by somebody else';
  if (asItWasSet === undefined) return undefined;
  if (now.max_connections !== asItWasSet.max_connections || kinds(now) !== kinds(asItWasSet)) {
    return 'what the webhook brings was changed by somebody else';
  }
  // The secret itself is shown to nobody.
  const isNew = now.last_error_date !== asItWasSet.last_error_date;
  const isRefused = /\b401\b/.test(now.last_error_message ?? '');
  return isNew && isRefused
    ? "Telegram's updates were refused, as they are without WEBHOOK_SECRET"
    : undefined;
}

function kinds({ allowed_updates = [] }: WebhookInfo): string {
  return allowed_updates.toSorted().join();
}
