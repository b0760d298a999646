/** Tells those who run the bot how far the day's budget is spent: once at 80 %, and once when nothing more fits into it. */
import type { Log } from '../../log.ts';
import type { Pauses } from '../../store/money/pauses.ts';
import type { Spent } from '../../store/money/scopes.ts';
import { msUntilNextDay } from '../../store/money/utc-day.ts';
import type { TellAdmins } from './alerts.ts';

interface BudgetNoticesOptions {
  /** Infinity: there is no budget, and nothing to tell. */
  readonly budgetYuan: number;
  readonly pauses: Pick<Pauses, 'beginUntil' | 'isOn' | 'end'>;
  readonly tellAdmins: TellAdmins;
  /** ms since the epoch */
  readonly now: () => number;
  readonly log: Log;
}

const EARLY_PERCENT = 80;
/** How long one process may take to tell; one that died in it has told nobody, so another tells after it. */
const TELLS_WITHIN_MS = 60_000;

/**
 * To be told of what the whole bot has spent today. One process tells, and a restart tells nothing again; where no admin could be told,
 * the next call tries again, and a minute after a process died in telling. Killed between telling and noting it, they are told twice. Another budget in the settings is another thing to tell of.
 */
export function createBudgetNotices({ budgetYuan, pauses, tellAdmins, now, log }: BudgetNoticesOptions) {
  /** Until when (ms since the epoch) this process need not look, by the percentage. */
  const looksAgainAt = new Map<number, number>();

  const tell = async (percent: number, spent: string, midnight: number): Promise<void> => {
    const told = `budget:${percent}:${budgetYuan}`;
    const telling = `${told}:telling`;
    if (!(await pauses.isOn(told))) {
      if (!(await pauses.beginUntil(telling, now() + TELLS_WITHIN_MS))) return;
      log.warn({ percent, spent, budget: budgetYuan }, "the day's budget is being used up");
      const figures = { spent, budget: String(budgetYuan) };
      try {
        await tellAdmins((words) => ({ text: words(`alert-budget-${percent}`, figures) }));
      } catch (error) {
        await pauses.end(telling);
        throw error;
      }
      await pauses.beginUntil(told, midnight);
    }
    looksAgainAt.set(percent, midnight);
  };

  return ({ spent, next }: Spent): void => {
    const most = budgetYuan * 100;
    const percent = spent + next > most ? 100 : EARLY_PERCENT;
    if (spent < (most * EARLY_PERCENT) / 100 && percent < 100) return;
    const time = now();
    if (time < (looksAgainAt.get(percent) ?? 0)) return;
    looksAgainAt.set(percent, time + TELLS_WITHIN_MS);
    tell(percent, (spent / 100).toFixed(2), time + msUntilNextDay(time)).catch((error: unknown) => {
      looksAgainAt.delete(percent);
      log.warn({ error, percent }, 'nobody was told of the budget');
    });
  };
}
