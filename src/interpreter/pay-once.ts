/** The rule of the house: what was paid for is never paid for again (spec §4). */
import { Failure, type FailureKind, isFailure } from '../errors.ts';
import type { Log } from '../log.ts';
import type { CallKind } from '../paid-calls.ts';
import { unlessAborted } from '../patience.ts';
import type { Claim, Claims } from '../store/money/claims.ts';
import { type Account, checkLimits, noteReuse } from './account.ts';
import type { Asked } from './request.ts';
import { createServicePause, type ServicePauseOptions } from './service-pause.ts';

interface Purchase<T> {
  readonly kind: CallKind;
  /** The same for the same thing, however it was asked for (request.ts). */
  readonly key: string;
  /** Whether the limits are asked before any work; they are asked again as a call is written down. */
  readonly isChecked?: boolean;
  /** The result kept from before, if any. */
  recall(): Promise<T | undefined>;
  /** Makes the calls. */
  buy(signal: AbortSignal): Promise<T>;
  /** Keeps the result for the next who asks; gives it as `recall` would. */
  keep(value: T): Promise<void>;
}

export type PayOnce = <T>(purchase: Purchase<T>, asked: Asked) => Promise<T>;

export interface PayOnceOptions extends Account, ServicePauseOptions {
  readonly provider: Account['provider'] & ServicePauseOptions['provider'];
  readonly claims: Claims;
}

/** Gives what is kept, else waits for a purchase of the same that is under way, else buys: within the limits. */
export function createPayOnce(options: PayOnceOptions): PayOnce {
  const { claims, lateWrites, log } = options;
  const whileNotPaused = createServicePause(options);
  const share = createSharedWork();
  /** What was bought while the database was away, by key, until it is kept there. */
  const unkept = new Map<string, unknown>();

  return async <T>(
    { kind, key, isChecked, recall, buy, keep }: Purchase<T>,
    { asker, signal, callsAfter = [] }: Asked,
  ): Promise<T> => {
    const countReuse = (): void => noteReuse(options, asker, kind);

    const recallAsReuse = async (): Promise<T | undefined> => {
      // The key is made of what is asked for, so it always stands for the same kind of value.
      const held = unkept.get(key) as T | undefined;
      const kept = held ?? (await ifReadable(recall(), log, 'kept results cannot be read'));
      if (kept !== undefined) countReuse();
      return kept;
    };

    const recallOrBuy = async (shared: AbortSignal): Promise<T> => {
      const kept = await recallAsReuse();
      if (kept !== undefined) return kept;
      if (isChecked) await checkLimits(options, asker, [kind, ...callsAfter]);
      return claims.hold(key, shared, async (claim) => {
        // Another process may have bought it meanwhile.
        const bought = claims.areShared ? await recallAsReuse() : undefined;
        return bought ?? pay(shared, claim);
      });
    };

    const pay = async (shared: AbortSignal, claim: Claim): Promise<T> => {
      const bought = await whileNotPaused(kind, async () => {
        await claim.confirm();
        return buy(shared);
      });
      // Paid for is paid for: an answer that cannot be kept is still an answer, and is kept later.
      await keep(bought).catch((error: unknown) => {
        log.error({ error }, 'a result was not kept');
        const onOver = (): void => void unkept.delete(key);
        const isHeld = lateWrites.hold(() => keep(bought), { person: asker.person, onOver });
        if (isHeld) unkept.set(key, bought);
      });
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
        // Another's limit is not ours, nor what they are asked, nor their /cancel or a pause: who waited for them asks on their own account.
        if (!mine.asked && !signal.aborted && isOthersOwn(error)) continue;
        throw error;
      }
    }
  };
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

interface Shared<T> {
  readonly value: T;
  /** True for those who found the work under way. */
  readonly joined: boolean;
}

interface UnderWay {
  readonly result: Promise<unknown>;
  readonly aborter: AbortController;
  isOver: boolean;
  waiting: number;
}

/** A register of work under way in this process, by key. */
export function createSharedWork() {
  const underWay = new Map<string, UnderWay>();

  const begin = (key: string, work: (signal: AbortSignal) => Promise<unknown>): UnderWay => {
    const aborter = new AbortController();
    const result = work(aborter.signal).finally(() => {
      entry.isOver = true;
      if (underWay.get(key) === entry) underWay.delete(key);
    });
    // Those who wait are told; with none of them left it must not count as unhandled.
    result.catch(() => {});
    const entry: UnderWay = { result, aborter, isOver: false, waiting: 0 };
    underWay.set(key, entry);
    return entry;
  };

  /**
   * Does the work under this key, or waits for the same work that is under way. A caller that aborts stops waiting and throws `cancelled`; the
   * work itself is aborted when no caller waits any more.
   */
  return async <T>(
    key: string,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<Shared<T>> => {
    if (signal.aborted) throw cancelled();
    const found = underWay.get(key);
    const entry = found ?? begin(key, work);
    entry.waiting += 1;
    try {
      // The register is keyed by what is asked for, so a key always stands for the same kind of value.
      const value = (await unlessAborted(entry.result, signal, cancelled)) as T;
      return { value, joined: found !== undefined };
    } finally {
      entry.waiting -= 1;
      if (entry.waiting === 0 && !entry.isOver) {
        entry.aborter.abort();
        if (underWay.get(key) === entry) underWay.delete(key);
      }
    }
  };
}

function cancelled(): Failure {
  return new Failure('cancelled', 'the request was cancelled');
}

/**
 * What was read, or undefined where that failed, with a line in the log. Nothing is paid for unwritten because of it: where it is the
 * database that fails, the ledger, which needs the same one, says no next.
 */
export function ifReadable<T>(read: Promise<T>, log: Log, complaint: string): Promise<T | undefined> {
  return read.catch((error: unknown) => {
    log.error({ error }, complaint);
    return undefined;
  });
}
