/** Tells those who run the bot what only they can mend: once, not for every request that fails of it. */
import type { Alert, OnAlert } from '../../interpreter/service-pause.ts';
import type { Log } from '../../log.ts';
import type { PersonSessions } from '../../store/kept/sessions.ts';
import type { BotApi } from '../api/api.ts';
import type { Words } from '../locale.ts';

export interface AlertOptions {
  readonly api: BotApi;
  readonly adminIds: readonly number[];
  readonly words: Words;
  readonly sessions: PersonSessions;
  readonly log: Log;
}

/** The same alert is not sent again for so long, in ms. */
const SILENCE_MS = 10 * 60 * 1000;

/** Sends alerts to every admin in their language, English where they have never written to the bot; an admin who cannot be reached is logged. */
export function createAlerts({ api, adminIds, words, sessions, log }: AlertOptions): OnAlert {
  const sentAt = new Map<string, number>();

  const tell = async (adminId: number, alert: Alert): Promise<void> => {
    const session = await sessions.get(String(adminId)).catch(() => undefined);
    const language = session?.interfaceLanguage ?? session?.telegramLanguage ?? 'en';
    await api.sendMessage(adminId, words(language, wordsOf(alert)));
  };

  return (alert) => {
    const id = wordsOf(alert);
    const now = performance.now();
    if (now - (sentAt.get(id) ?? Number.NEGATIVE_INFINITY) < SILENCE_MS) return;
    sentAt.set(id, now);
    log.error({ alert }, 'whoever runs the bot is needed');
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
  return 'alert-database';
}
