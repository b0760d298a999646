/** The ledger at the provider's prices: paid calls on the account of whoever asked. */
import type { Log } from '../log.ts';
import type { CallKind } from '../paid-calls.ts';
import type { Meter } from '../service/calls/paid-call.ts';
import type { Ledger } from '../store/money/ledger.ts';
import type { Asker } from '../store/money/scopes.ts';
import type { Provider } from './provider.ts';

export interface Account {
  readonly provider: Pick<Provider, 'price'>;
  readonly ledger: Ledger;
  readonly log: Log;
  /** Told of every result that was used again instead of paid for. */
  readonly onReuse?: ((kind: CallKind) => void) | undefined;
}

/** Writes calls into the ledger at today's prices; its `begin` throws as the ledger's does. */
export function meterOf({ ledger, provider }: Account, asker: Asker): Meter {
  return { begin: (call) => ledger.begin(asker, { ...call, cost: provider.price(call.kind) }) };
}

/** Throws `limit-…` where the limits do not allow all these calls, too, and `database` when the database does not answer. */
export function checkLimits(
  { ledger, provider }: Account,
  asker: Asker,
  calls: readonly CallKind[],
): Promise<void> {
  const cost = calls.reduce((sum, kind) => sum + provider.price(kind), 0);
  return ledger.check(asker, { calls: calls.length, cost });
}

/** Nobody waits for it; what the ledger could not be told is logged. */
export function noteReuse({ provider, ledger, log, onReuse }: Account, asker: Asker, kind: CallKind): void {
  onReuse?.(kind);
  ledger
    .reuse(asker, { kind, cost: provider.price(kind) })
    .catch((error: unknown) => log.warn({ error }, 'a saved call was not noted'));
}
