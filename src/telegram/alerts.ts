/** Alerts the admins to faults that only an operator can fix, and to how much of the day's budget is spent: once, not for every request. */
import type { ServiceAlert } from '../interpreter/service-pause.ts';
import type { Log } from '../log.ts';
import { yuan } from '../paid-calls.ts';
import { patiently } from '../patience.ts';
import type { SentQuestion } from '../store/access/admissions.ts';
import type { PersonSessions } from '../store/kept/sessions.ts';
import type { Spent } from '../store/money/ledger.ts';
import type { Pauses } from '../store/money/pauses.ts';
import { msUntilNextDay } from '../store/money/spending.ts';
import type { BotApi } from './api/api.ts';
import { isOutage } from './api/api-errors.ts';
import { type Arguments, languageOf, type Words } from './locale.ts';

interface AlertsDeps {
  readonly api: Pick<BotApi, 'sendMessage'>;
  readonly adminIds: readonly number[];
  readonly words: Words;
  readonly sessions: Pick<PersonSessions, 'get'>;
  readonly pauses: Pick<Pauses, 'begin' | 'end'>;
  /** Infinity where there is no budget. */
  readonly budgetYuan: number;
  /** ms since the epoch */
  readonly now: () => number;
  readonly log: Log;
}

type AdminMessage = (words: (id: string, args?: Arguments) => string) => {
  readonly text: string;
  readonly extra?: Parameters<BotApi['sendMessage']>[2];
};

/** Besides the provider's alerts: the database cannot be read or written, or a self-hosted Bot API server serves no files. */
type Alert = ServiceAlert | { readonly reason: 'database' | 'files' };

/** The same alert is not sent again within this time, in ms. */
const SILENCE_MS = 10 * 60 * 1000;
/** Time between retries while Telegram is unreachable, in ms. */
const AGAIN_AFTER_MS = 60_000;
const EARLY_PERCENT = 80;

export class Alerts {
  readonly #deps: AlertsDeps;
  /** By sentence, when an alert was sent; infinite while it is being sent. */
  readonly #sentAt = new Map<string, number>();
  /** By percentage of the budget, until when there is nothing more to say, in ms since the epoch. */
  readonly #quietUntil = new Map<number, number>();

  constructor(deps: AlertsDeps) {
    this.#deps = deps;
  }

  /** Sends to every admin in their language, else in English. Logs unreachable admins; throws if Telegram is unreachable. */
  async tellAdmins(message: AdminMessage): Promise<SentQuestion[]> {
    const { api, adminIds, words, sessions, log } = this.#deps;
    const outcomes = await Promise.allSettled(
      adminIds.map(async (adminId) => {
        const language = await languageOf({ id: adminId }, sessions);
        const { text, extra } = message((id, args) => words(language, id, args));
        const sent = await api.sendMessage(adminId, text, extra);
        return { chat: adminId, message: sent.message_id };
      }),
    );
    const failures = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    for (const error of failures) log.warn({ error }, 'alerting an admin failed');
    // One admin who got it is enough: a retry would send it to that one twice.
    if (failures.length === adminIds.length && failures.some(isOutage)) throw failures.find(isOutage);
    return outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  }

  /** Sends an alert to every admin, as soon as Telegram is reachable: most are raised only once. Suppresses repetitions. */
  raise(alert: Alert): void {
    const { words, log } = this.#deps;
    const id = sentenceOf(alert);
    if (performance.now() - (this.#sentAt.get(id) ?? Number.NEGATIVE_INFINITY) < SILENCE_MS) return;
    this.#sentAt.set(id, Number.POSITIVE_INFINITY);
    log.error({ alert }, words('en', id).replace('⚠️ ', ''));
    const tell = () =>
      this.tellAdmins((words) => {
        if (alert.reason !== 'quota') return { text: words(id) };
        const button = { text: words('button-try-now'), callback_data: `try-now:${alert.kind}` };
        return { text: words(id), extra: { reply_markup: { inline_keyboard: [[button]] } } };
      });
    // `tellAdmins` logs every failure.
    void patiently(tell, () => AGAIN_AFTER_MS, { ref: false }).then(() =>
      this.#sentAt.set(id, performance.now()),
    );
  }

  /**
   * Takes every change of what the bot has spent today, in fen. One process sends each notice, once, restarts included. If the notice
   * reaches no admin, the next paid call retries it. A new budget in the settings starts anew. Never rejects.
   */
  async noteSpent({ spent, next }: Spent): Promise<void> {
    const { budgetYuan, pauses, now, log } = this.#deps;
    const most = budgetYuan * 100;
    const percent = spent + next > most ? 100 : EARLY_PERCENT;
    if (spent < (most * EARLY_PERCENT) / 100 && percent < 100) return;
    const time = now();
    const midnight = time + msUntilNextDay(time);
    if (this.#quietUntil.get(percent) === midnight) return;
    this.#quietUntil.set(percent, midnight);
    const told = `budget:${percent}:${budgetYuan}`;
    const figures = { spent: yuan(spent), budget: String(budgetYuan) };
    try {
      if (!(await pauses.begin(told, midnight))) return;
      log.warn({ percent, ...figures }, "today's budget is running out");
      await this.tellAdmins((words) => ({ text: words(`alert-budget-${percent}`, figures) }));
    } catch (error) {
      log.warn({ error, percent }, 'alerting the admins about the budget failed');
      await pauses.end([told]).catch(() => {});
      this.#quietUntil.delete(percent);
    }
  }
}

function sentenceOf(alert: Alert): string {
  if (alert.reason === 'quota') return `alert-quota-${alert.kind}`;
  if (alert.reason === 'auth') return `alert-auth-${alert.credentials}`;
  return `alert-${alert.reason}`;
}
