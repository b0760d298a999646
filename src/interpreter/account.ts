/** The asker's account: paid calls at the provider's prices, entered in the ledger. */
import { Failure } from '../errors.ts';
import type { CallKind } from '../paid-calls.ts';
import type { Meter } from '../service/calls/paid-call.ts';
import type { Asker } from '../store/money/scopes.ts';
import type { InterpreterOptions } from './deps.ts';
import type { Provider } from './provider.ts';
import type { Payer } from './request.ts';

/**
 * Makes a meter for one call, with its tries, that enters them in the ledger at today's prices. Its `begin` throws like the ledger's,
 * `mustBeServed`, and `mustBeAgreed`: whatever the plan was, no call is made beyond what the person has agreed to.
 */
export function meterOf(options: InterpreterOptions, asker: Payer): Meter {
  const { ledger, provider, access } = options;
  let isCounted = false;
  return {
    begin: async (call) => {
      await access?.mustBeServed(asker);
      if (!isCounted) {
        await mustBeAgreed(options, asker, [call.kind], true);
        if (asker.consent !== undefined) asker.consent.calls -= 1;
        isCounted = true;
      }
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
 * To be called before the first of many calls. Throws like `checkLimits`, also for the calls after them, without which they would be in
 * vain; then like `mustBeAgreed`.
 */
export async function checkCalls(
  options: InterpreterOptions,
  asker: Payer,
  own: readonly CallKind[],
  after: readonly CallKind[] = [],
): Promise<void> {
  const all = [...own, ...after];
  await checkLimits(options, asker, all);
  await mustBeAgreed(options, asker, all, after.length > 0);
}

/**
 * Throws `costly` if these further calls of the request are more than the person has agreed to, or `limit-…` if the limits do not allow them
 * either. `isAtLeast`: more may follow.
 */
export async function mustBeAgreed(
  options: InterpreterOptions,
  asker: Payer,
  calls: readonly CallKind[],
  isAtLeast: boolean,
): Promise<void> {
  const { consent } = asker;
  if (consent === undefined) return;
  // A negative consent is what the request has spent unasked so far.
  const mostUnasked = MOST_UNASKED_CALLS + Math.min(0, consent.calls);
  if (calls.length <= Math.max(mostUnasked, consent.calls)) return;
  await checkLimits(options, asker, calls);
  const price = { calls: calls.length, cost: costOf(options.provider, calls), isAtLeast };
  throw new Failure('costly', 'many paid calls, which nobody has agreed to yet', { price });
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
