/** Answers callback queries beside the lanes: a pressed button shows at once that it was heard, whatever else is running (spec §2). */
import type { CallbackQuery } from 'telegraf/types';
import type { Log } from '../../log.ts';
import type { ParkedUpdates } from '../../store/kept/parked-updates.ts';
import type { Wholes } from '../../store/kept/results.ts';
import type { PersonSessions } from '../../store/kept/sessions.ts';
import type { BotApi } from '../api/api.ts';
import { languageOf, type Words } from '../locale.ts';
import { isGroupAdmin } from '../message/group-admin.ts';
import { pressIn, refusalOf } from '../message/presses.ts';
import { brings } from './brings.ts';
import { isUsable } from './usable-update.ts';

export interface AcknowledgingOptions {
  readonly api: BotApi;
  readonly words: Words;
  readonly sessions: Pick<PersonSessions, 'get'>;
  readonly parked: Pick<ParkedUpdates, 'find'>;
  readonly wholes: Pick<Wholes, 'find'>;
  readonly log: Log;
}

/** What the presser alone is told, as a key of `locales/`. */
interface Told {
  readonly id: string;
  /** They have to close it, so that a sentence can be read in peace. */
  readonly isAlert: boolean;
}

/** Acknowledges the press that an update brings; with the reason where it changes nothing. A stale press is no matter. */
export function createAcknowledging(options: AcknowledgingOptions): (body: unknown) => void {
  const { api, words, sessions, parked, wholes, log } = options;

  const toldTo = async (press: CallbackQuery.DataQuery): Promise<Told | undefined> => {
    const refusal = await refusalOf(press, (chat, user) => isGroupAdmin(api, chat, user));
    if (refusal !== undefined) return { id: refusal, isAlert: true };
    const { kind, owner = '', match } = pressIn(press.data) ?? {};
    const whole = match?.groups?.whole;
    if (whole !== undefined && (await wholes.find(whole)) === undefined)
      return { id: kind === 'read' ? 'photo-gone' : 'press-too-old', isAlert: true };
    if (kind === 'cancel') return { id: 'cancel-heard', isAlert: false };
    if (kind !== 'again' || (await parked.find(match?.[1] ?? '', owner)) !== undefined) return undefined;
    return { id: 'try-again-gone', isAlert: true };
  };

  const inWords = async (press: CallbackQuery.DataQuery) => {
    const told = await toldTo(press);
    if (told === undefined) return undefined;
    const text = words(await languageOf(press.from, sessions), told.id);
    return { text, show_alert: told.isAlert };
  };

  const answer = async (id: string, body: unknown): Promise<void> => {
    const press = isUsable(body) && 'callback_query' in body ? body.callback_query : undefined;
    const extra = press && (await inWords(press).catch((error: unknown) => notTold(error)));
    await api.answerCbQuery(id, extra?.text, extra);
  };

  const notTold = (error: unknown): undefined => {
    log.debug({ error }, 'what a press changes could not be told');
  };

  return (body) => {
    if (!brings(body, 'callback_query')) return;
    const press = body.callback_query;
    if (!brings(press, 'id') || typeof press.id !== 'string') return;
    answer(press.id, body).catch((error: unknown) => {
      log.debug({ error }, 'a press was not acknowledged');
    });
  };
}
