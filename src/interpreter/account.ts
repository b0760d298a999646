/** The asker's account: paid calls at the provider's prices, entered in the ledger. */
import { Failure } from '../errors.ts';
import type { CallKind } from '../paid-calls.ts';
import type { Meter } from '../service/calls/paid-call.ts';
import type { Asker } from '../store/money/scopes.ts';
import type { InterpreterOptions } from './deps.ts';
import type { Provider } from './provider.ts';
import type { Payer } from './request.ts';

/** Makes a meter that enters calls in the ledger at today's prices; its `begin` throws like the ledger's and `mustBeServed`. */
export function meterOf({ ledger, provider, access }: InterpreterOptions, asker: Asker): Meter {
  return {
    begin: async (call) => {
      await access?.mustBeServed(asker);
      return ledger.begin(asker, { ...call, cost: provider.price(call.kind) });
    },
  };
}

/** Throws `limit-…` if the limits do not allow all these further calls, and `database` when the database does not answer. */
export async function checkLimits(
  { ledger, provider }: InterpreterOptions,
  asker: Payer,
  calls: readonly CallKind[],
): Promise<void> {
  await ledger.check(asker, { calls: calls.length, cost: costOf(provider, calls) });
}

/** The most paid calls that a request makes before the person has agreed to their cost (spec §2, "Asking before it costs"). */
const MOST_UNASKED_CALLS = 10;

/**
 * To be called before the first of many calls; lowers `consent` by those of `own`. Throws like `checkLimits`, also for the calls after them,
 * without which they would be in vain; then `costly` if they are more than the person has agreed to.
 */
export async function checkCalls(
  options: InterpreterOptions,
  asker: Payer,
  own: readonly CallKind[],
  after: readonly CallKind[] = [],
): Promise<void> {
  const all = [...own, ...after];
  await checkLimits(options, asker, all);
  const { consent } = asker;
  if (consent === undefined) return;
  // A negative consent is what the request has spent unasked so far.
  const mostUnasked = MOST_UNASKED_CALLS + Math.min(0, consent.calls);
  if (all.length > Math.max(mostUnasked, consent.calls)) {
    const cost = costOf(options.provider, all);
    const price = { calls: all.length, cost, isAtLeast: after.length > 0 };
    throw new Failure('costly', 'many paid calls, which nobody has agreed to yet', { price });
  }
  consent.calls -= own.length;
}

function costOf(provider: Provider, calls: readonly CallKind[]): number {
  return calls.reduce((sum, kind) => sum + provider.price(kind), 0);
}

/** Enters a reuse in the ledger without waiting; logs an error. */
export function noteReuse(
  { provider, ledger, log, onReuse }: InterpreterOptions,
  asker: Asker,
  kind: CallKind,
): void {
  onReuse?.(kind);
  ledger
    .reuse(asker, { kind, cost: provider.price(kind) })
    .catch((error: unknown) => log.warn({ error }, 'a saved call was not entered in the ledger'));
}
