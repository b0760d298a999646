/** Reports who may use the bot, and how an admin who is locked out gets in again (spec §8). */
import type { Config } from '../app/config.ts';
import type { BotApi } from '../telegram/api/api.ts';
import { isOutage } from '../telegram/api/api-errors.ts';
import { type Finding, open, well, wrong } from './finding.ts';

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
