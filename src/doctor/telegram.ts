/** Checks the bot's account at Telegram, how its updates arrive, and whether a self-hosted Bot API server serves files. */

import { readdir } from 'node:fs/promises';
import { TelegramError } from 'telegraf';
import type { WebhookInfo } from 'telegraf/types';
import type { Config } from '../app/config.ts';
import { isFailure } from '../errors.ts';
import type { BotApi } from '../telegram/api/api.ts';
import { downloadFile } from '../telegram/api/files.ts';
import { errorCode, type Finding, open, remedyFor, well, wrong } from './finding.ts';

interface AccountCheck {
  readonly findings: readonly Finding[];
  /** The bot's id, if Telegram knows the token. */
  readonly botId?: number;
}

/** Requests the bot's account and what it may do. */
export async function checkAccount(
  api: BotApi,
  signal: AbortSignal,
  proxy?: Config['telegram']['proxy'],
): Promise<AccountCheck> {
  try {
    const me = await api.callApi('getMe', {}, { signal });
    return {
      findings: [well(`Telegram: the token belongs to @${me.username}${through(proxy)}`), ...freedoms(me)],
      botId: me.id,
    };
  } catch (error) {
    return { findings: [refusal(error, api.transport.proxyProblem())] };
  }
}

/** Names the proxy without its user and password. */
function through(proxy: URL | undefined): string {
  return proxy === undefined ? '' : `, through TELEGRAM_PROXY (${proxy.protocol}//${proxy.host})`;
}

/** Explains a refusal by Telegram, a time-out, or a failing proxy, for any method. */
function refusal(error: unknown, proxyProblem: string | undefined): Finding {
  if (error instanceof TelegramError && (error.code === 401 || error.code === 404)) {
    return wrong(
      'Telegram: TELEGRAM_BOT_TOKEN was refused',
      'in @BotFather: /mybots, choose the bot, API Token; copy it whole',
    );
  }
  if (error instanceof TelegramError) {
    return wrong(`Telegram: refused (${error.code}: ${error.description})`, 'try again in a minute');
  }
  if (proxyProblem !== undefined) {
    return wrong(
      `Telegram: TELEGRAM_PROXY lets nothing through (${proxyProblem})`,
      proxyRemedy(proxyProblem),
    );
  }
  return wrong(
    `Telegram: unreachable (${errorCode(error)})`,
    remedyFor(
      error,
      'check that this machine reaches TELEGRAM_API_ROOT (firewall, DNS, proxy; some countries block Telegram)',
    ),
  );
}

/** Returns the remedy for a code of `Transport.proxyProblem`: an HTTP status, a SOCKS5 code, or an error of the connection. */
function proxyRemedy(problem: string): string {
  if (/^407$|^SOCKS5_AUTH/.test(problem)) return 'check its user and password';
  if (/^\d{3}$|^SOCKS5_REPLY/.test(problem))
    return 'the proxy is running, but cannot reach TELEGRAM_API_ROOT, or may not: ask its operator';
  return 'check that it is running, and that its host, port and protocol are right';
}

/** What BotFather switches on and off: what that means for the bot, and how to change it. */
const FREEDOMS = [
  {
    flag: 'can_join_groups',
    on: 'it can be added to groups',
    off: 'it cannot be added to groups',
    remedy: 'in @BotFather: /setjoingroups, Enable',
  },
  {
    flag: 'can_read_all_group_messages',
    on: 'privacy mode is off, /listen on works in every group',
    off: 'privacy mode is on, so /listen on works only where the bot is an admin of the group',
    remedy:
      'to change that, in @BotFather: /setprivacy, Disable; then take the bot out of its groups and add it again',
  },
  {
    flag: 'supports_inline_queries',
    on: 'inline mode is on (@bot text, in any chat)',
    off: 'inline mode is off, so @bot text does nothing',
    remedy: 'in @BotFather: /setinline',
  },
  {
    flag: 'supports_guest_queries',
    on: 'guest mode is on (a mention of it is answered in chats that it is not in)',
    off: 'guest mode is off, so a mention of it in a chat that it is not in does nothing',
    remedy: 'in @BotFather: open its app, choose the bot, Bot Settings, Guest Mode',
  },
] as const;

/** `me` as it came: Telegraf's types end at Bot API 7.1, before guests (10.0). */
function freedoms(me: Partial<Record<(typeof FREEDOMS)[number]['flag'], boolean>>): Finding[] {
  return FREEDOMS.map(({ flag, on, off, remedy }) =>
    me[flag] === true ? well(`Telegram: ${on}`) : open(`Telegram: ${off}`, remedy),
  );
}

interface WebhookCheck {
  readonly api: BotApi;
  readonly signal: AbortSignal;
  readonly configured: Config['webhook'];
  /** While the bot runs, Telegram should be set up as configured; otherwise the next start does it. */
  readonly isRunning: boolean;
}

/** Checks how updates arrive. Fetches none: a running bot would lose them. */
export async function checkWebhook({ api, signal, configured, isRunning }: WebhookCheck): Promise<Finding[]> {
  try {
    const info = await api.callApi('getWebhookInfo', {}, { signal });
    return [agreement(info.url ?? '', configured, isRunning), ...deliveries(info)];
  } catch (error) {
    return [refusal(error, api.transport.proxyProblem())];
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
      'npm start removes that webhook; if it comes back, another program uses this token: in @BotFather, /revoke',
    );
  }
  if (url === configured.url) return well(`Updates: Telegram delivers to ${hostOf(url)}`);
  const now =
    url === '' ? 'Telegram has no webhook' : `Telegram delivers to another address at ${hostOf(url)}`;
  return judged(
    `Updates: WEBHOOK_URL is set, but ${now}`,
    'npm start sets it; its log says if Telegram refuses it',
  );
}

function deliveries({ last_error_date, last_error_message, pending_update_count }: WebhookInfo): Finding[] {
  if (last_error_date === undefined) return [];
  const at = new Date(last_error_date * 1000).toISOString();
  const text = `Updates: the last failed delivery was at ${at} (${last_error_message ?? 'no reason given'})`;
  if (pending_update_count === 0) return [open(text)];
  return [
    wrong(
      `${text}; updates pending: ${pending_update_count}`,
      'WEBHOOK_URL must lead from the internet over https, with a valid certificate, to HOST:PORT; the bot must run',
    ),
  ];
}

/** Leaves out the path, which is as good as a secret. */
function hostOf(url: string): string {
  return URL.parse(url)?.host ?? 'an unreadable address';
}

/** Downloads the bot's profile picture, if it has one: the only file known to exist. */
export async function checkFiles(api: BotApi, botId: number, signal: AbortSignal): Promise<Finding[]> {
  const { filesDir, isSelfHosted } = api;
  if (!isSelfHosted)
    return filesDir === undefined
      ? []
      : [
          wrong(
            "Files: TELEGRAM_FILES_DIR is set, but TELEGRAM_API_ROOT is Telegram's own server, which keeps no files here",
            'unset it, or set TELEGRAM_API_ROOT to your own Bot API server',
          ),
        ];
  try {
    if (filesDir !== undefined) await readdir(filesDir);
  } catch (error) {
    return [
      wrong(
        `Files: the folder TELEGRAM_FILES_DIR cannot be read (${errorCode(error)})`,
        "set it to the working folder of the Bot API server as this machine sees it, and let the bot's user read it",
      ),
    ];
  }
  try {
    const { photos } = await api.callApi('getUserProfilePhotos', { user_id: botId, limit: 1 }, { signal });
    const smallest = photos[0]?.[0];
    if (smallest === undefined)
      return [
        open(
          `Files: the first photo will show whether the server serves them (${how(filesDir)})`,
          'to check it now, give the bot a picture in @BotFather (/setuserpic), and run this again',
        ),
      ];
    await downloadFile(api, smallest.file_id, signal);
    return [well('Files: the Bot API server at TELEGRAM_API_ROOT serves them')];
  } catch (error) {
    if (isFailure(error, 'file-unserved'))
      return [wrong('Files: the Bot API server serves none', error.message)];
    return [open(`Files: downloading one failed (${errorCode(error)})`, 'run this again later')];
  }
}

function how(filesDir: string | undefined): string {
  if (filesDir !== undefined) return 'TELEGRAM_FILES_DIR can be read';
  return 'a Bot API server leaves that to a web server, unless it runs with --local and TELEGRAM_FILES_DIR is set';
}
