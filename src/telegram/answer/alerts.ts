/** Tells the operators what only they can mend: once, not for every request that fails of it. */
import type { Alert, OnAlert } from '../../interpreter/service-pause.ts';
import type { Log } from '../../log.ts';
import type { PersonSessions } from '../../store/kept/sessions.ts';
import type { BotApi } from '../api/api.ts';
import { isOutage } from '../api/api-errors.ts';
import type { Arguments, Words } from '../locale.ts';

export interface AlertOptions {
  readonly api: BotApi;
  readonly adminIds: readonly number[];
  readonly words: Words;
  readonly sessions: PersonSessions;
  readonly log: Log;
}

/** The same alert is not sent again for so long, in ms. */
const SILENCE_MS = 10 * 60 * 1000;

/** Makes what an admin is sent, of sentences in their language. */
type Message = (words: (id: string, args?: Arguments) => string) => {
  readonly text: string;
  readonly extra?: Parameters<BotApi['sendMessage']>[2];
};

/** Sends to every admin in their language, English where they have never written to the bot. Throws where Telegram cannot be reached. */
export type TellAdmins = (message: Message) => Promise<void>;

/** An admin who cannot be reached is logged. */
export function createTellAdmins({ api, adminIds, words, sessions, log }: AlertOptions): TellAdmins {
  return async (message) => {
    const outcomes = await Promise.allSettled(
      adminIds.map(async (adminId) => {
        const language = await adminLanguage(sessions, adminId);
        const { text, extra } = message((id, args) => words(language, id, args));
        await api.sendMessage(adminId, text, extra);
      }),
    );
    const failures = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    for (const error of failures) log.warn({ error }, 'an admin was not told');
    // One who was told is enough: to all of them it would be said twice.
    if (failures.length === adminIds.length && failures.some(isOutage)) throw failures.find(isOutage);
  };
}

async function adminLanguage(sessions: Pick<PersonSessions, 'get'>, adminId: number) {
  const session = await sessions.get(String(adminId)).catch(() => undefined);
  return session?.interfaceLanguage ?? session?.telegramLanguage ?? 'en';
}

/** Sends alerts to every admin in their language, English where they have never written to the bot; an admin who cannot be reached is logged. */
export function createAlerts({ api, adminIds, words, sessions, log }: AlertOptions): OnAlert {
  const sentAt = new Map<string, number>();

  const tell = async (adminId: number, alert: Alert): Promise<void> => {
    await api.sendMessage(adminId, words(await adminLanguage(sessions, adminId), wordsOf(alert)));
  };

  return (alert) => {
    const id = wordsOf(alert);
    const now = performance.now();
    if (now - (sentAt.get(id) ?? Number.NEGATIVE_INFINITY) < SILENCE_MS) return;
    sentAt.set(id, now);
    log.error({ alert }, 'the operator is needed');
    for (const adminId of adminIds) {
      tell(adminId, alert).catch((error: unknown) =>
        log.warn({ error, adminId }, 'an alert was not delivered'),
      );
    }
  };
}

function wordsOf(alert: Alert): string {
  if (alert.reason === 'quota') return `alert-quota-${alert.kind}`;
  if (alert.reason === 'auth') return `alert-auth-${alert.credentials}`;
  return `alert-${alert.reason}`;
}
