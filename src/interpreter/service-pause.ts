/** Pauses calls that can only fail: after the quota is used up or our credentials are refused, none is made for a while. */
import { Failure, isFailure } from '../errors.ts';
import type { CallKind } from '../paid-calls.ts';
import { outlastOutage } from '../store/database-errors.ts';
import type { Pauses } from '../store/money/pauses.ts';
import type { Provider } from './provider.ts';

/** A problem that only the operator can solve. */
export type ServiceAlert =
  | { readonly reason: 'quota'; readonly kind: CallKind }
  | { readonly reason: 'auth'; readonly credentials: string };

export interface PauseDeps {
  readonly provider: Provider;
  readonly pauses: Pauses;
  /** Called for each pause that begins. */
  readonly onAlert: (alert: ServiceAlert) => void;
}

/** Throws `quota` or `auth` while calls of this kind are paused, and `database`. The outcome of `buy` begins and ends pauses. */
export async function buyUnlessPaused<T>(
  { provider, pauses, onAlert }: PauseDeps,
  { kind, buy }: { readonly kind: CallKind; buy(signal: AbortSignal): Promise<T> },
  signal: AbortSignal,
): Promise<T> {
  const reasons = reasonsOf(provider, kind);
  const permission = await pauses.permission(Object.values(reasons));
  if (typeof permission === 'object') {
    const kindOfFailure = permission.reason === reasons.quota ? 'quota' : 'auth';
    const failure = new Failure(kindOfFailure, 'calls of this kind are paused');
    failure.nextTryAt = permission.until;
    throw failure;
  }
  const isProbe = permission === 'probe';
  try {
    const result = await buy(signal);
    // If a pause cannot be ended, its next probe comes in ten minutes.
    if (isProbe) await outlastOutage(() => pauses.end(Object.values(reasons))).catch(() => {});
    return result;
  } catch (error) {
    const isOfQuota = isFailure(error, 'quota');
    if (!isOfQuota && !isFailure(error, 'auth')) {
      // Other errors (a limit, /cancel) say nothing about the service: hand the probe to the next caller, or retry in ten minutes.
      if (isProbe) await pauses.release(Object.values(reasons)).catch(() => false);
      throw error;
    }
    const reason = isOfQuota ? reasons.quota : reasons.auth;
    // If a pause cannot begin, the next refusal begins it.
    if (await pauses.begin(reason).catch(() => false))
      onAlert(
        isOfQuota ? { reason: 'quota', kind } : { reason: 'auth', credentials: provider.credentials[kind] },
      );
    const [pause] = await pauses.find([reason]).catch(() => []);
    error.nextTryAt = pause?.until;
    throw error;
  }
}

/** Returns whether the next call of a kind is a probe, or not allowed at all. Throws `database`. */
export async function isSuspended({ provider, pauses }: PauseDeps, kind: CallKind): Promise<boolean> {
  if (provider.state().state === 'down') return true;
  return (await pauses.find(Object.values(reasonsOf(provider, kind)))).length > 0;
}

/** Lets the next call of a kind probe whether the quota was topped up; returns false if calls are not paused. Throws `database`. */
export function probeQuota(pauses: Pauses, kind: CallKind): Promise<boolean> {
  return pauses.release([`quota:${kind}`]);
}

/** Each kind may have its own quota; kinds may share credentials (`Provider.credentials`). */
function reasonsOf({ credentials, fingerprint }: Provider, kind: CallKind) {
  return { quota: `quota:${kind}`, auth: `auth:${credentials[kind]}:${fingerprint}` };
}
