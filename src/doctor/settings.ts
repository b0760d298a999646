/** Checks the settings: all faults of the environment variables at once, the file `.env`, what a day can cost, and who may use the bot. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { type Config, NAMES, SECRETS } from '../app/config.ts';
import { yuan } from '../paid-calls.ts';
import type { BotApi } from '../telegram/api/api.ts';
import { isOutage } from '../telegram/api/api-errors.ts';
import { type Finding, open, well, wrong } from './finding.ts';
import { PRICES } from './service.ts';

/** Returns one finding per mistake, or one that all is well. */
export function checkSettings(faults: readonly string[]): Finding[] {
  if (faults.length === 0) return [well('Settings: all variables are set and valid')];
  return faults.map((fault) =>
    wrong(`Settings: ${fault}`, 'set it in .env or in the file that it names, as .env.example explains'),
  );
}

/** Reports the most that a day can cost with these settings, if there is a limit (spec §4). */
export function checkMoney({ limits, adminIds, access }: Config): Finding {
  const { budgetYuan, callsPerUser } = limits;
  const asked = access === 'open' ? ', whoever on Telegram asks (ACCESS=open)' : '';
  if (Number.isFinite(budgetYuan)) {
    const calls = Math.floor((100 * budgetYuan) / Math.min(...Object.values(PRICES)));
    const admins = adminIds.length === 0 ? '' : '; ADMIN_IDS have no limit';
    return well(
      `Money: a day costs at most ${budgetYuan} yuan (DAILY_BUDGET_YUAN), or ${calls} calls${asked}${admins}`,
    );
  }
  const dearest = Math.max(...Object.values(PRICES));
  const each = Number.isFinite(callsPerUser)
    ? `each person may cause ${callsPerUser} calls, ${yuan(callsPerUser * dearest)} yuan`
    : 'nor is there a limit for a person (DAILY_CALLS_PER_USER)';
  return open(
    `Money: there is no limit to what a day costs (DAILY_BUDGET_YUAN=0); ${each}${asked}`,
    'set DAILY_BUDGET_YUAN',
  );
}

/** Of Compose, ffmpeg, Node and the C library. */
const OTHERS = /^(?:COMPOSE_\w+|LOTSAWA_IMAGE|FFMPEG_PATH|NODE_\w+|MALLOC_\w+|TZ|PATH)$/;
/** The form of a setting's name; a line of a secret hardly looks like this. */
const NAME = /^[A-Z]+(?:_[A-Z]+)+$/;

/** Node ends an unquoted value at its first `#`; after a blank, a comment is meant. */
const CUT_OFF = /^[ \t]*(?:export[ \t]+)?(\w+)[ \t]*=[ \t]*(?!['"`])(?:(?![ \t]#).)*?(?<=\S)#/gm;

/** Checks `.env` of the working folder, if there is one. */
export function checkEnvFile(path = '.env'): Finding[] {
  if (!existsSync(path)) return [];
  const text = readFileSync(path, 'utf8');
  const holdsSecrets = SECRETS.some((name) => parseEnv(text)[name]);
  const isOpen = holdsSecrets && (statSync(path).mode & 0o077) !== 0;
  return [
    ...checkEnvText(text),
    ...(isOpen
      ? [wrong('.env: other users of this machine may read the secrets in it', 'chmod 600 .env')]
      : []),
  ];
}

/** Checks the text of `.env`; repeats no part of a value. */
export function checkEnvText(text: string): Finding[] {
  const cutOff = Array.from(text.matchAll(CUT_OFF), ([, name = '']) => name);
  const unknown = Object.keys(parseEnv(text)).filter((name) => NAME.test(name) && !OTHERS.test(name));
  return [
    ...cutOff
      .filter((name) => NAMES.includes(name))
      .map((name) => wrong(`.env: ${name} is cut off at its #`, "put the value in single quotes: NAME='…'")),
    ...checkNames(unknown),
  ];
}

/** Reports names that are not settings of the bot, and so have no effect. */
function checkNames(names: readonly string[]): Finding[] {
  return names
    .filter((name) => !NAMES.includes(name))
    .map((name) => {
      const meant = NAMES.find((known) => known.startsWith(name) || name.startsWith(known));
      const remedy =
        meant === undefined ? 'remove it, or see .env.example for its right name' : `did you mean ${meant}?`;
      return wrong(`.env: ${name} is not a setting of the bot, and has no effect`, remedy);
    });
}

const HOW_TO_GET_IN =
  'put your Telegram user id into ADMIN_IDS, and restart the bot (/stats, sent to the bot, tells the id)';

/** Checks only the settings. */
export function checkAccess({ access, adminIds }: Pick<Config, 'access' | 'adminIds'>): Finding[] {
  if (access === 'members')
    return [
      well('Access: ACCESS=members, so only people and groups that an admin let in are answered'),
      open(
        `Access: ADMIN_IDS names ${adminIds.length} who may let people in; if you are locked out`,
        HOW_TO_GET_IN,
      ),
    ];
  return [
    open(
      'Access: ACCESS=open, so everybody in Telegram who finds the bot may use it, and you pay',
      'ACCESS=members in .env, to choose who may; the daily limits (DAILY_…) apply in any case',
    ),
    ...(adminIds.length === 0
      ? [
          open(
            'Access: ADMIN_IDS is empty, so nobody gets alerts or may use /stats, /block and /pause',
            HOW_TO_GET_IN,
          ),
        ]
      : []),
  ];
}

/** Checks that each admin has written to the bot, which may not write first: otherwise they get no requests and alerts. */
export async function checkAdmins(
  api: Pick<BotApi, 'callApi'>,
  { access, adminIds }: Pick<Config, 'access' | 'adminIds'>,
  signal: AbortSignal,
): Promise<Finding[]> {
  const unknown: number[] = [];
  for (const id of adminIds) {
    try {
      await api.callApi('getChat', { chat_id: id }, { signal });
    } catch (error) {
      if (signal.aborted || isOutage(error)) return [];
      unknown.push(id);
    }
  }
  if (unknown.length === 0) return [];
  const text = `Access: these ADMIN_IDS have no chat with the bot, and get no alerts: ${unknown.join(', ')}`;
  const remedy = 'write to the bot once (/start) from that account; if it has, the id is wrong';
  // Then nobody gets the requests to be let in.
  const isDeaf = access === 'members' && unknown.length === adminIds.length;
  return [isDeaf ? wrong(text, remedy) : open(text, remedy)];
}
