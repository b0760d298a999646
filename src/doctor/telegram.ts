/** Checks the bot's account at Telegram, how its updates arrive, its files, and whether it reaches its admins. */
import { TelegramError } from 'telegraf';
import type { WebhookInfo } from 'telegraf/types';
import type { Config } from '../app/config.ts';
import { isFailure } from '../errors.ts';
import { BotApi } from '../telegram/api/api.ts';
import { unlessRefused } from '../telegram/api/api-errors.ts';
import { downloadFile } from '../telegram/api/files.ts';
import { type Finding, open, reasonOf, remedyFor, well, wrong } from './finding.ts';

/** Maximum time of one call to Telegram, with its retries, in ms. */
const PATIENCE_MS = 15_000;

type TelegramConfig = Pick<Config, 'telegram' | 'webhook' | 'access' | 'adminIds'>;

/** Ends at the first failing call. Fetches no update: a running bot would lose it. */
export async function* checkTelegram(
  { telegram, webhook, access, adminIds }: TelegramConfig,
  patienceMs = PATIENCE_MS,
): AsyncGenerator<Finding> {
  const api = new BotApi(telegram);
  const signal = () => AbortSignal.timeout(patienceMs);
  try {
    const me = await api.callApi('getMe', {}, { signal: signal() });
    yield well(`Telegram: the token belongs to @${me.username}${through(telegram.proxy)}`);
    yield* switchedOff(me);
    const info = await api.callApi('getWebhookInfo', {}, { signal: signal() });
    yield delivery(info.url ?? '', webhook);
    yield* failedDeliveries(info);
    yield* await checkFiles(api, me.id, signal());
    yield* await checkAdmins(api, access, adminIds, signal());
  } catch (error) {
    yield refusal(error, api.transport.proxyProblem);
  }
}

/** Names the proxy without its user and password. */
function through(proxy: URL | undefined): string {
  return proxy === undefined ? '' : `, through TELEGRAM_PROXY (${proxy.protocol}//${proxy.host})`;
}

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
      'check that it runs and may reach TELEGRAM_API_ROOT, and its protocol, host, port, user and password (407, SOCKS5_AUTH_FAILED)',
    );
  }
  return wrong(
    `Telegram: unreachable (${reasonOf(error)})`,
    remedyFor(
      error,
      'check that this machine reaches TELEGRAM_API_ROOT (firewall, DNS, proxy; some countries block Telegram)',
    ),
  );
}

/** What BotFather has switched off: what that means for the bot, and how to change it. */
const SWITCHES = [
  ['can_join_groups', 'it cannot be added to groups', '/setjoingroups, Enable'],
  [
    'can_read_all_group_messages',
    'privacy mode is on, so /listen on works only where the bot is an admin of the group',
    '/setprivacy, Disable; then take the bot out of its groups and add it again',
  ],
  ['supports_inline_queries', 'inline mode is off, so @bot text does nothing', '/setinline'],
  [
    'supports_guest_queries',
    'guest mode is off, so a mention of it in a chat that it is not in does nothing',
    'open its app, choose the bot, Bot Settings, Guest Mode',
  ],
] as const;

/** `me` as it came: Telegraf's types end at Bot API 7.1, before guests (10.0). */
function switchedOff(me: Partial<Record<(typeof SWITCHES)[number][0], boolean>>): Finding[] {
  return SWITCHES.filter(([flag]) => me[flag] !== true).map(([, off, remedy]) =>
    open(`Telegram: ${off}`, `in @BotFather: ${remedy}`),
  );
}

function delivery(url: string, configured: Config['webhook']): Finding {
  if (url === (configured?.url ?? ''))
    return well(
      configured === undefined
        ? 'Updates: by long polling (a second program with this token would show in the log as 409 Conflict)'
        : `Updates: Telegram delivers to ${hostOf(url)}`,
    );
  return open(
    `Updates: Telegram ${url === '' ? 'has no webhook yet' : `delivers to another address, at ${hostOf(url)}`}`,
    'npm start changes that; if it comes back, another program uses this token: in @BotFather, /revoke',
  );
}

function failedDeliveries(info: WebhookInfo): Finding[] {
  const { last_error_date, last_error_message = 'no reason given', pending_update_count } = info;
  if (last_error_date === undefined || pending_update_count === 0) return [];
  const at = new Date(last_error_date * 1000).toISOString();
  return [
    wrong(
      `Updates: the last failed delivery was at ${at} (${last_error_message}); updates pending: ${pending_update_count}`,
      'WEBHOOK_URL must lead from the internet over https, with a valid certificate, to HOST:PORT; the bot must run',
    ),
  ];
}

/** Leaves out the path, which is as good as a secret. */
function hostOf(url: string): string {
  return URL.parse(url)?.host ?? 'an unreadable address';
}

/** Downloads the bot's profile picture from a self-hosted server, if it has one: the only file known to exist. */
export async function checkFiles(api: BotApi, botId: number, signal: AbortSignal): Promise<Finding[]> {
  if (!api.isSelfHosted && api.filesDir === undefined) return [];
  if (!api.isSelfHosted)
    return [
      wrong(
        "Files: TELEGRAM_FILES_DIR is set, but TELEGRAM_API_ROOT is Telegram's own server, which keeps no files here",
        'unset it, or set TELEGRAM_API_ROOT to your own Bot API server',
      ),
    ];
  const { photos } = await api.callApi('getUserProfilePhotos', { user_id: botId, limit: 1 }, { signal });
  const smallest = photos[0]?.[0];
  if (smallest === undefined)
    return [
      open(
        'Files: the first photo will show whether the Bot API server serves them',
        'to check it now, give the bot a picture in @BotFather (/setuserpic), and run this again',
      ),
    ];
  try {
    await downloadFile(api, smallest.file_id, signal);
    return [well('Files: the Bot API server at TELEGRAM_API_ROOT serves them')];
  } catch (error) {
    if (!isFailure(error, 'file-unserved')) throw error;
    return [wrong('Files: the Bot API server serves none', error.message)];
  }
}

/** An admin must have written to the bot, which may not write first. */
async function checkAdmins(
  api: BotApi,
  access: Config['access'],
  adminIds: readonly number[],
  signal: AbortSignal,
): Promise<Finding[]> {
  const unknown: number[] = [];
  for (const id of adminIds) {
    const chat = await unlessRefused(api.callApi('getChat', { chat_id: id }, { signal }));
    if (chat === undefined) unknown.push(id);
  }
  if (unknown.length === 0) return [];
  // Then nobody gets the requests to be let in.
  const isDeaf = access === 'members' && unknown.length === adminIds.length;
  return [
    (isDeaf ? wrong : open)(
      `Access: these ADMIN_IDS have no chat with the bot, and get no alerts: ${unknown.join(', ')}`,
      'write to the bot once (/start) from that account; if it has, the id is wrong',
    ),
  ];
}
