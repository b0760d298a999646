/** Pays once: a result that was paid for is never paid for again (spec §4). */
import { Failure, type FailureKind, isFailure } from '../errors.ts';
import type { Log } from '../log.ts';
import type { CallKind } from '../paid-calls.ts';
import { throwIfCancelled, unlessCancelled } from '../patience.ts';
import { outlastOutage } from '../store/database-errors.ts';
import { checkLimits, noteReuse } from './account.ts';
import type { InterpreterOptions, PayOnce, Purchase, ServiceAlert } from './deps.ts';
import type { Asked } from './request.ts';

/**
 * Makes the function that gives a kept result, or waits for the same purchase in progress, or buys within the limits; `settled` resolves when
 * all purchases that are in progress now have ended.
 */
export function createPayOnce(options: InterpreterOptions): {
  readonly payOnce: PayOnce;
  settled(): Promise<void>;
} {
  const { claims, log } = options;
  const whileNotPaused = createServicePause(options);
  const { share, settled } = createSingleFlight();

  const payOnce: PayOnce = async <T>(
    { kind, key, checksFirst, recall, buy, keep }: Purchase<T>,
    { asker, signal, callsAfter = [] }: Asked,
  ): Promise<T> => {
    const countReuse = (): void => noteReuse(options, asker, kind);

    const recallAsReuse = async (): Promise<T | undefined> => {
      const kept = await ifReadable(recall(), log, 'kept results cannot be read');
      if (kept !== undefined) countReuse();
      return kept;
    };

    const recallOrBuy = async (shared: AbortSignal): Promise<T> => {
      const kept = await recallAsReuse();
      if (kept !== undefined) return kept;
      if (checksFirst) await checkLimits(options, asker, [kind, ...callsAfter]);
      const claim = await claims.take(key, asker.person, shared);
      if (claim === undefined) return recallOrBuy(shared);
      try {
        const bought = claim.isOnResult ? await recallAsReuse() : undefined;
        return bought ?? (await pay(shared));
      } finally {
        claim.free();
      }
    };

    const pay = async (shared: AbortSignal): Promise<T> => {
      const bought = await whileNotPaused(kind, () => buy(shared));
      // It is paid for, so the request waits for the database. A result that cannot be kept in the end is still an answer.
      await outlastOutage(() => keep(bought)).catch((error: unknown) =>
        log.error({ error }, 'a result was not kept'),
      );
      return bought;
    };

    for (;;) {
      const mine = { asked: false };
      try {
        const { value, joined } = await share(key, signal, (shared) => {
          mine.asked = true;
          return recallOrBuy(shared);
        });
        if (joined) countReuse();
        return value;
      } catch (error) {
        // Another asker's limit, consent, /cancel or pause is not ours: ask on our own account.
        if (!mine.asked && !signal.aborted && isOthersOwn(error)) continue;
        throw error;
      }
    }
  };
  return { payOnce, settled };
}

const OTHERS_OWN: ReadonlySet<FailureKind> = new Set([
  'limit-person',
  'limit-group',
  'costly',
  'paused',
  'cancelled',
]);

function isOthersOwn(error: unknown): boolean {
  return isFailure(error) && OTHERS_OWN.has(error.kind);
}

/** Runs the work unless calls of its kind are paused; begins and ends pauses by its result. Throws `quota` or `auth` during a pause. */
type WhileNotPaused = <T>(kind: CallKind, work: () => Promise<T>) => Promise<T>;

/**
 * Pauses calls that could only fail: after the quota is used up, or our credentials are refused, no call of that kind is tried for a while.
 */
function createServicePause({ provider, pauses, onAlert }: InterpreterOptions): WhileNotPaused {
  const reasonOf = (alert: ServiceAlert): string =>
    alert.reason === 'quota' ? `quota:${alert.kind}` : `auth:${alert.credentials}:${provider.fingerprint}`;

  return async (kind, work) => {
    // Each kind may have its own quota; credentials refused for one kind are refused for all that share them.
    const alerts: readonly ServiceAlert[] = [
      { reason: 'quota', kind },
      { reason: 'auth', credentials: provider.credentialsOf(kind) },
    ];
    const probes: ServiceAlert[] = [];
    try {
      // One query for all: there hardly ever is a pause.
      const known = await pauses.known(alerts.map(reasonOf));
      for (const alert of alerts.filter((one) => known.includes(reasonOf(one)))) {
        const permission = await pauses.permission(reasonOf(alert));
        if (permission === 'paused') throw new Failure(alert.reason, 'calls of this kind are paused');
        if (permission === 'probe') probes.push(alert);
      }
      const result = await work();
      // A pause that cannot be ended in the end has its next probe in ten minutes.
      const ended = probes.length > 0 ? alerts : [];
      for (const alert of ended) await outlastOutage(() => pauses.end(reasonOf(alert))).catch(() => {});
      return result;
    } catch (error) {
      const alert = alerts.find(({ reason }) => isFailure(error, reason));
      // Anything else (a limit, /cancel) proves nothing: the next caller may probe. If that cannot be written, it may in ten minutes.
      for (const probe of probes) if (probe !== alert) await pauses.release(reasonOf(probe)).catch(() => {});
      // If a pause cannot begin now, the next refusal begins it.
      const isNews = alert !== undefined && (await pauses.begin(reasonOf(alert)).catch(() => false));
      if (isNews) onAlert(alert);
      throw error;
    }
  };
}

interface Shared<T> {
  readonly value: T;
  /** True if the work was already running. */
  readonly joined: boolean;
}

interface UnderWay {
  readonly result: Promise<unknown>;
  readonly aborter: AbortController;
  waiting: number;
}

/**
 * Single-flight: callers with the same key share one piece of work in this process. It belongs to none of them: when nobody waits any more
 * its signal aborts, but work that goes on all the same, since it is paid for, is shared with the next who ask.
 */
export function createSingleFlight() {
  const underWay = new Map<string, UnderWay>();

  const begin = (key: string, work: (signal: AbortSignal) => Promise<unknown>): UnderWay => {
    const aborter = new AbortController();
    const result = work(aborter.signal).finally(() => {
      underWay.delete(key);
    });
    // Waiting callers get this error; without any it must not count as unhandled.
    result.catch(() => {});
    const entry: UnderWay = { result, aborter, waiting: 0 };
    underWay.set(key, entry);
    return entry;
  };

  /** Runs the work of this key, or waits for it if it runs already. A caller that aborts stops waiting and throws `cancelled`. */
  const share = async <T>(
    key: string,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<Shared<T>> => {
    throwIfCancelled(signal);
    const found = underWay.get(key);
    const entry = found ?? begin(key, work);
    entry.waiting += 1;
    try {
      // A key is made from the request, so it always stands for the same type.
      const value = (await unlessCancelled(entry.result, signal)) as T;
      return { value, joined: found !== undefined };
    } finally {
      entry.waiting -= 1;
      if (entry.waiting === 0) entry.aborter.abort();
    }
  };

  const settled = async (): Promise<void> => {
    await Promise.allSettled([...underWay.values()].map(({ result }) => result));
  };
  return { share, settled };
}

/**
 * Gives what was read; on an error it logs `complaint` and gives undefined. This pays for nothing unrecorded: if the database fails, so
 * does the ledger, which comes next.
 */
export function ifReadable<T>(read: Promise<T>, log: Log, complaint: string): Promise<T | undefined> {
  return read.catch((error: unknown) => {
    log.error({ error }, complaint);
    return undefined;
  });
}
