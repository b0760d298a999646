/** Acknowledges callback queries beside the lanes, so that a pressed button reacts at once (spec §2). */
import type { Log } from '../../log.ts';
import type { Access } from '../../store/access/access.ts';
import type { PersonSessions } from '../../store/kept/sessions.ts';
import type { Asker } from '../../store/money/scopes.ts';
import type { BotApi } from '../api/api.ts';
import { languageOf, type Words } from '../locale.ts';
import { type ButtonStores, type CallbackNotice, refusalOf } from '../request/callback.ts';
import type { Intent } from '../request/intent.ts';

interface AcknowledgingDeps {
  readonly api: BotApi;
  readonly access: Pick<Access, 'isBlocked'>;
  readonly words: Words;
  readonly sessions: Pick<PersonSessions, 'get'>;
  readonly stores: ButtonStores;
  readonly log: Log;
}

type CallbackIntent = Intent & { kind: 'callback' };

/** Acknowledges a callback query, with the reason if it is refused; not for a blocked person. A stale query does no harm. */
export async function acknowledge(
  deps: AcknowledgingDeps,
  intent: CallbackIntent,
  asker: Asker | undefined,
): Promise<void> {
  const { api, access, words, sessions, log } = deps;
  if (asker !== undefined && (await access.isBlocked(asker))) return;
  const { id, from, message } = intent.query;
  try {
    const notice = await noticeOf(deps, intent).catch((error: unknown): undefined => {
      log.debug({ error }, 'finding the notice of a callback query failed');
    });
    const chat = message?.chat.type ?? 'private';
    const text = notice && words(await languageOf(from, sessions), notice.id, { chat, ...notice.args });
    await api.answerCbQuery(id, text, { show_alert: notice?.isAlert });
  } catch (error) {
    log.debug({ error }, 'acknowledging a callback query failed');
  }
}

async function noticeOf(
  { api, stores }: AcknowledgingDeps,
  { query, matched }: CallbackIntent,
): Promise<CallbackNotice | undefined> {
  const refusal = await refusalOf(matched, query, api);
  if (refusal !== undefined) return { id: refusal, isAlert: true };
  return matched?.callback.notice?.(matched.match, stores, query.message);
}
