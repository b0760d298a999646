/** Acknowledges callback queries beside the lanes, so that a pressed button reacts at once (spec §2). */
import type { Log } from '../../log.ts';
import type { Access } from '../../store/access/access.ts';
import type { PersonSessions } from '../../store/kept/sessions.ts';
import type { BotApi } from '../api/api.ts';
import { languageOf, type Words } from '../locale.ts';
import { type ButtonStores, type CallbackNotice, refusalOf } from '../request/callback.ts';
import type { Intent } from '../request/intent.ts';
import { hasKey } from '../request/update.ts';
import type { OnReceived, Received } from './receipt.ts';

interface AcknowledgingOptions {
  readonly api: BotApi;
  readonly access: Pick<Access, 'isBlocked'>;
  readonly words: Words;
  readonly sessions: Pick<PersonSessions, 'get'>;
  readonly stores: ButtonStores;
  readonly log: Log;
}

type CallbackIntent = Intent & { kind: 'callback' };

/** Acknowledges the callback query of an update, with the reason if it is refused; not for a blocked person. A stale query does no harm. */
export function createAcknowledging({
  api,
  access,
  words,
  sessions,
  stores,
  log,
}: AcknowledgingOptions): OnReceived {
  const noticeFor = async ({ query, matched }: CallbackIntent): Promise<CallbackNotice | undefined> => {
    const refusal = await refusalOf(matched, query, api);
    if (refusal !== undefined) return { id: refusal, isAlert: true };
    return matched?.callback.notice?.(matched.match, stores, query.message);
  };

  const inWords = async (intent: CallbackIntent) => {
    const notice = await noticeFor(intent);
    if (notice === undefined) return undefined;
    const text = words(await languageOf(intent.query.from, sessions), notice.id);
    return { text, show_alert: notice.isAlert };
  };

  const notTold = (error: unknown): undefined => {
    log.debug({ error }, 'sending the notice of a callback query failed');
  };

  const acknowledge = async (id: string, { parsed, intent }: Received): Promise<void> => {
    if (parsed?.asker !== undefined && (await access.isBlocked(parsed.asker))) return;
    const extra = intent?.kind === 'callback' ? await inWords(intent).catch(notTold) : undefined;
    await api.answerCbQuery(id, extra?.text, extra);
  };

  // Acknowledge also a query that no handler can take, such as a game's: its button would keep spinning.
  return (received) => {
    const { body } = received;
    if (!hasKey(body, 'callback_query')) return;
    const query = body.callback_query;
    if (!hasKey(query, 'id') || typeof query.id !== 'string') return;
    acknowledge(query.id, received).catch((error: unknown) => {
      log.debug({ error }, 'acknowledging a callback query failed');
    });
  };
}
