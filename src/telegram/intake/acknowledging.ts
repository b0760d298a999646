/** Answers callback queries beside the lanes: a pressed button shows at once that it was heard, whatever else is running (spec §2). */
import type { CallbackQuery } from 'telegraf/types';
import type { Log } from '../../log.ts';
import type { PersonSessions } from '../../store/kept/sessions.ts';
import type { BotApi } from '../api/api.ts';
import { languageOf, type Words } from '../locale.ts';
import { type Callback, type Kept, pressedBy, refusalOf, type Told } from '../request/callback.ts';
import { isGroupAdmin } from '../request/identity.ts';
import { brings, isUsable } from './usable-update.ts';

export interface AcknowledgingOptions {
  readonly api: BotApi;
  readonly words: Words;
  readonly sessions: Pick<PersonSessions, 'get'>;
  readonly kept: Kept;
  readonly callbacks: readonly Callback[];
  readonly log: Log;
}

/** Acknowledges the press that an update brings; with the reason where it changes nothing. A stale press is no matter. */
export function createAcknowledging(options: AcknowledgingOptions): (body: unknown) => void {
  const { api, words, sessions, kept, callbacks, log } = options;

  const toldTo = async (press: CallbackQuery.DataQuery): Promise<Told | undefined> => {
    const pressed = pressedBy(press.data, callbacks);
    const refusal = await refusalOf(pressed, press, (chat, user) => isGroupAdmin(api, chat, user));
    if (refusal !== undefined) return { id: refusal, isAlert: true };
    return pressed?.callback.told?.(pressed.match, kept, press.message);
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
