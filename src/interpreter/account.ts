/** Pays for results: buys each once, within the limits and the asker's consent, and enters it in the ledger. */
import { endsRequest, Failure, isFailure } from '../errors.ts';
import type { Log } from '../log.ts';
import type { CallKind } from '../paid-calls.ts';
import { standAside, throwIfCancelled, unlessAborted } from '../patience.ts';
import type { Meter } from '../service/calls/paid-call.ts';
import type { Access } from '../store/access/access.ts';
import { outlastOutage } from '../store/database-errors.ts';
import type { Result, Results } from '../store/kept/results.ts';
import type { Ledger } from '../store/money/ledger.ts';
import type { Calls } from '../store/money/spending.ts';
import type { Payer, RequestOptions } from './request.ts';
import { buyUnlessPaused, isSuspended, type PauseDeps } from './service-pause.ts';

export interface AccountDeps extends PauseDeps {
  readonly ledger: Ledger;
  readonly access: Access;
  readonly results: Results;
  readonly log: Log;
  /** Called for every result that was re-used instead of paid for. */
  readonly onReuse: (kind: CallKind) => void;
}

interface Purchase<T> {
  readonly kind: CallKind;
  /** The idempotency key: equal for equal things, however they were asked for (request.ts). */
  readonly key: string;
  /** `signal` stops it before the next call; a call that was sent ends, and so does what is made of it. `payer`: who pays, as of now. */
  buy(signal: AbortSignal, payer: () => Payer): Promise<T>;
}

/** Shared by all who wait for it; aborts when nobody waits any more. If a paid call makes it continue, later askers share it. */
interface UnderWay {
  readonly result: Promise<Result>;
  readonly aborter: AbortController;
  /** Who waits, each as often as they do; the first pays. */
  readonly waiting: Payer[];
}

/** Maximum of paid calls that a request makes without asking. */
const MAX_UNASKED_CALLS = 10;

/** All methods throw `database` when the database is unreachable. */
export class Account {
  readonly #deps: AccountDeps;
  readonly #underWay = new Map<string, UnderWay>();

  constructor(deps: AccountDeps) {
    this.#deps = deps;
  }

  /** Throws `limit-…` if the limits do not allow `own` and `after` (without which `own` is useless), then like `mustBeAgreed`. */
  async check(asker: Payer, own: readonly CallKind[], after: readonly CallKind[] = []): Promise<void> {
    if (own.length === 0) return;
    const calls = [...own, ...after];
    await this.#deps.ledger.check(asker, this.#sumOf(calls));
    await this.mustBeAgreed(asker, calls, after.length > 0);
  }

  /** Throws `costly` if these calls exceed the person's consent, or `limit-…` if the limits forbid them. `isAtLeast`: more may follow. */
  async mustBeAgreed(asker: Payer, calls: readonly CallKind[], isAtLeast = true): Promise<void> {
    if (isAgreed(asker, calls.length)) return;
    const sum = this.#sumOf(calls);
    await this.#deps.ledger.check(asker, sum);
    const price = { ...sum, isAtLeast };
    throw new Failure('costly', 'many paid calls, which nobody has agreed to yet', { price });
  }

  /** Meters one call and its tries. `begin` throws like the ledger's, and each `mustBe…` and `mustStillAsk`, whatever was planned. */
  meter(payer: () => Payer): Meter {
    const { access, ledger, provider } = this.#deps;
    let isCounted = false;
    return {
      begin: async (call) => {
        const asker = payer();
        await access.mustBeServed(asker);
        await asker.mustStillAsk?.();
        if (!isCounted) {
          // In one step with what lowers it: calls of a request begin side by side.
          if (!isAgreed(asker, 1)) await this.mustBeAgreed(asker, [call.kind]);
          if (asker.consent !== undefined) asker.consent.calls -= 1;
          isCounted = true;
        }
        const settle = await ledger.begin(asker, { ...call, cost: provider.prices[call.kind] });
        asker.hasPaid = true;
        return settle;
      },
    };
  }

  /**
   * Buys pieces in order, `most` at once, or one by one while calls of this kind are suspended: the first is the probe. After a failure no
   * other begins; its error is thrown once the running ones have ended.
   */
  async buyEach<T>(
    kind: CallKind,
    pieces: readonly T[],
    most: number,
    buy: (piece: T) => Promise<void>,
  ): Promise<void> {
    const atOnce = Math.min(most, pieces.length);
    const isProbing = atOnce > 1 && (await isSuspended(this.#deps, kind));
    const waiting = [...pieces];
    const buyInTurn = async (): Promise<void> => {
      try {
        for (let piece = waiting.shift(); piece !== undefined; piece = waiting.shift()) await buy(piece);
      } finally {
        waiting.length = 0;
      }
    };
    const ends = await Promise.allSettled(Array.from({ length: isProbing ? 1 : atOnce }, buyInTurn));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  }

  /** Returns the kept result, or that of the same running purchase, or buys it. Throws the failures of a purchase, and `cancelled`. */
  async payOnce<T extends Result>(
    purchase: Purchase<T>,
    { asker, signal }: Pick<RequestOptions, 'asker' | 'signal'>,
  ): Promise<T> {
    const { kind, key } = purchase;
    for (;;) {
      throwIfCancelled(signal);
      const joined = this.#underWay.get(key);
      joined?.waiting.push(asker);
      const underWay = joined ?? this.#begin(purchase, asker);
      try {
        // A key always stands for the same type.
        const ended = unlessAborted(underWay.result, signal);
        const value = (await (joined ? standAside(ended, { mayHold: true }) : ended)) as T;
        if (joined !== undefined) this.#deps.onReuse(kind);
        return value;
      } catch (error) {
        const isOfOneAsker = endsRequest(error) || isFailure(error, 'costly');
        // The joined call stopped because of its own asker (limit or /cancel): make the call for this one.
        if (joined === undefined || !isOfOneAsker || signal.aborted) throw error;
      } finally {
        underWay.waiting.splice(underWay.waiting.indexOf(asker), 1);
        if (underWay.waiting.length === 0) underWay.aborter.abort();
      }
    }
  }

  /** Resolves when all running purchases have ended and their results are stored, also those that nobody waits for. */
  async settled(): Promise<void> {
    await Promise.allSettled([...this.#underWay.values()].map(({ result }) => result));
  }

  #begin(purchase: Purchase<Result>, asker: Payer): UnderWay {
    const aborter = new AbortController();
    const waiting = [asker];
    // Nobody: the call was sent, and only its result is to be kept.
    const payer = () => waiting[0] ?? asker;
    const underWay = { result: this.#recallOrBuy(purchase, payer, aborter.signal), aborter, waiting };
    // Waiting callers get its error; if there are none, it must not count as unhandled.
    underWay.result.catch(() => {});
    this.#underWay.set(purchase.key, underWay);
    return underWay;
  }

  async #recallOrBuy(purchase: Purchase<Result>, payer: () => Payer, signal: AbortSignal): Promise<Result> {
    const { kind, key } = purchase;
    const buy = (bySignal: AbortSignal) => purchase.buy(bySignal, payer);
    const { results, log, onReuse } = this.#deps;
    try {
      for (;;) {
        const kept = await results.find(key);
        if (kept !== undefined) {
          onReuse(kind);
          return kept;
        }
        const freeClaim = await results.claim(key, payer().person, signal);
        // Another process has bought it, or may have.
        if (freeClaim === undefined) continue;
        try {
          const bought = await buyUnlessPaused(this.#deps, { kind, buy }, signal);
          // It is paid for, so wait for the database. A result that cannot be stored is still an answer.
          await outlastOutage(() => results.keep(key, payer().person, bought)).catch((error: unknown) =>
            log.error({ error }, 'storing a result failed'),
          );
          payer().gotFurther?.();
          return bought;
        } finally {
          freeClaim();
        }
      }
    } finally {
      this.#underWay.delete(key);
    }
  }

  /** The number of these calls, and their present price in fen (a hundredth of a yuan). */
  #sumOf(calls: readonly CallKind[]): Calls {
    const { prices } = this.#deps.provider;
    return { calls: calls.length, cost: calls.reduce((sum, kind) => sum + prices[kind], 0) };
  }
}

/** Whether so many calls need no question, or are within what the person has agreed to. */
function isAgreed({ consent }: Payer, calls: number): boolean {
  if (consent === undefined) return true;
  // A negative consent counts what the request has spent unasked so far.
  const maxUnasked = MAX_UNASKED_CALLS + Math.min(0, consent.calls);
  return calls <= Math.max(maxUnasked, consent.calls);
}
