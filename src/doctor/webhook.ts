/** Checks how Telegram hands updates over: by webhook or not, as configured, and with what success. */
import type { WebhookInfo } from 'telegraf/types';
import type { Config } from '../app/config.ts';
import type { BotApi } from '../telegram/api/api.ts';
import { type Finding, open, well, wrong } from './finding.ts';
import { refusal } from './telegram.ts';

interface WebhookCheck {
  readonly api: BotApi;
  readonly signal: AbortSignal;
  readonly configured: Config['webhook'];
  /** While the bot runs, things should be as they are configured; else its next start sees to that. */
  readonly isRunning: boolean;
}

/** Telegram keeps updates for a day; more than this many in a row are not an evening's rest. */
const MANY_WAITING = 1000;

/** Asks for no updates: that would take them from a bot that runs. */
export async function checkWebhook({ api, signal, configured, isRunning }: WebhookCheck): Promise<Finding[]> {
  try {
    const info = await api.callApi('getWebhookInfo', {}, { signal });
    return [agreement(info.url ?? '', configured, isRunning), ...deliveries(info), ...waiting(info)];
  } catch (error) {
    return [refusal(error)];
  }
}

function agreement(url: string, configured: Config['webhook'], isRunning: boolean): Finding {
  const judged = isRunning ? wrong : open;
  if (configured === undefined) {
    if (url === '') {
      return well(
        'Updates: by long polling (a second program with this token would show in the log as 409 Conflict)',
      );
    }
    return judged(
      `Updates: WEBHOOK_URL is not set, but Telegram delivers to ${hostOf(url)}`,
      'npm start ends that; if it comes back, another program uses this token: in @BotFather, /revoke',
    );
  }
  if (url === configured.url) return well(`Updates: Telegram delivers to ${hostOf(url)}`);
  const now =
    url === '' ? 'Telegram has no webhook' : `Telegram delivers to another address at ${hostOf(url)}`;
  return judged(
    `Updates: WEBHOOK_URL is set, but ${now}`,
    'npm start tells Telegram; its log says if that is refused',
  );
}

function deliveries({ last_error_date, last_error_message, pending_update_count }: WebhookInfo): Finding[] {
  if (last_error_date === undefined) return [];
  const at = new Date(last_error_date * 1000).toISOString();
  const text = `Updates: the last delivery that failed was at ${at} (${last_error_message ?? 'no reason given'})`;
  if (pending_update_count === 0) return [open(text)];
  return [
    wrong(
      `${text}, and ${pending_update_count} wait`,
      'WEBHOOK_URL must lead from the internet over https, with a valid certificate, to HOST:PORT; the bot must run',
    ),
  ];
}

function waiting({ pending_update_count }: WebhookInfo): Finding[] {
  if (pending_update_count < MANY_WAITING) return [];
  return [
    wrong(`Updates: ${pending_update_count} wait at Telegram, which keeps them for a day`, 'npm start'),
  ];
}

/** The path is as good as a secret. */
function hostOf(url: string): string {
  return URL.parse(url)?.host ?? 'an unreadable address';
}
