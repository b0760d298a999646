/** The ledger at the provider's prices: paid calls on the account of the asker. */
import { Failure } from '../errors.ts';
import type { Log } from '../log.ts';
import type { CallKind } from '../paid-calls.ts';
import type { Meter } from '../service/calls/paid-call.ts';
import type { Access } from '../store/access/access.ts';
import type { Ledger } from '../store/money/ledger.ts';
import type { Asker } from '../store/money/scopes.ts';
import type { Provider } from './provider.ts';
import type { Payer } from './request.ts';

export interface Account {
  readonly provider: Pick<Provider, 'price'>;
  readonly ledger: Ledger;
  /** Asked before each call; everybody is served where this is unset. */
  readonly access?: Pick<Access, 'mustBeServed'> | undefined;
  readonly log: Log;
  /** Told of every result that was used again instead of paid for. */
  readonly onReuse?: ((kind: CallKind) => void) | undefined;
}

/** Writes calls into the ledger at today's prices; its `begin` throws as the ledger's and `mustBeServed` do. */
export function meterOf({ ledger, provider, access }: Account, asker: Asker): Meter {
  return {
    begin: async (call) => {
      await access?.mustBeServed(asker);
      return ledger.begin(asker, { ...call, cost: provider.price(call.kind) });
    },
  };
}

/** Throws `limit-…` where the limits do not allow all these calls, too, and `database` when the database does not answer. */
export async function checkLimits(
  { ledger, provider }: Account,
  asker: Payer,
  calls: readonly CallKind[],
): Promise<void> {
  await ledger.check(asker, { calls: calls.length, cost: costOf(provider, calls) });
}

/** More paid calls than these are not made before their person has agreed to what they cost (spec §2, "Asking before it costs"). */
const MOST_UNASKED_CALLS = 10;

/**
 * Before any of many calls: throws as `checkLimits` does, also for the calls after them, without which they would be in vain; then
 * `costly` where they are more than their person has agreed to.
 */
export async function checkCalls(
  account: Account,
  asker: Payer,
  own: readonly CallKind[],
  after: readonly CallKind[] = [],
): Promise<void> {
  const all = [...own, ...after];
  await checkLimits(account, asker, all);
  const { consent } = asker;
  if (consent === undefined) return;
  if (all.length > Math.max(MOST_UNASKED_CALLS, consent.calls)) {
    const cost = costOf(account.provider, all);
    const price = { calls: all.length, cost, isAtLeast: after.length > 0 };
    throw new Failure('costly', 'many paid calls, which nobody has agreed to yet', { price });
  }
  consent.calls -= own.length;
}

function costOf(provider: Account['provider'], calls: readonly CallKind[]): number {
  return calls.reduce((sum, kind) => sum + provider.price(kind), 0);
}

/** It is not waited for; what the ledger could not be told is logged. */
export function noteReuse({ provider, ledger, log, onReuse }: Account, asker: Asker, kind: CallKind): void {
  onReuse?.(kind);
  ledger
    .reuse(asker, { kind, cost: provider.price(kind) })
    .catch((error: unknown) => log.warn({ error }, 'a saved call was not noted'));
}
