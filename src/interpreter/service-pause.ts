/** Pauses calls that can only fail: after the quota is used up or our credentials are refused, none is made for a while (spec §4). */
import { Failure, isFailure } from '../errors.ts';
import type { CallKind } from '../paid-calls.ts';
import { outlastOutage } from '../store/database-errors.ts';
import type { Pauses } from '../store/money/pauses.ts';
import type { Provider } from './provider.ts';

/** A problem that only the operator can solve: the quota is used up, or the provider refuses our credentials. */
export type ServiceAlert =
  | { readonly reason: 'quota'; readonly kind: CallKind }
  | { readonly reason: 'auth'; readonly credentials: string };

export interface PauseDeps {
  readonly provider: Pick<Provider, 'credentialsOf' | 'fingerprint' | 'state'>;
  readonly pauses: Pauses;
  /** Called for each pause that begins. */
  readonly onAlert: (alert: ServiceAlert) => void;
}

/**
 * Does the work unless calls of its kind are paused; begins and ends pauses by its outcome. Throws `quota` or `auth` during a pause, and
 * `database`.
 */
export async function unlessPaused<T>(deps: PauseDeps, kind: CallKind, work: () => Promise<T>): Promise<T> {
  const { provider, pauses, onAlert } = deps;
  // One query for all: pauses are rare.
  const known = await pauses.all();
  const probes: ServiceAlert[] = [];
  try {
    if (known.size > 0) await takeProbes(deps, kind, known, probes);
    const result = await work();
    if (probes.length === 0) return result;
    // If a pause cannot be ended, its next probe comes in ten minutes.
    for (const alert of alertsOf(provider, kind))
      await outlastOutage(() => pauses.end(pauseName(provider, alert))).catch(() => {});
    return result;
  } catch (error) {
    const alert = alertsOf(provider, kind).find(({ reason }) => isFailure(error, reason));
    // Anything else (a limit, /cancel) proves nothing: let the next caller probe; if that fails, in ten minutes.
    for (const probe of probes)
      if (probe.reason !== alert?.reason) await pauses.release(pauseName(provider, probe)).catch(() => false);
    if (alert === undefined || !isFailure(error)) throw error;
    const name = pauseName(provider, alert);
    // If a pause cannot begin, the next refusal begins it.
    if (await pauses.begin(name).catch(() => false)) onAlert(alert);
    error.nextTryAt = await pauses.all().then(
      (all) => all.get(name),
      () => undefined,
    );
    throw error;
  }
}

/** Adds the pauses that this call may probe. Throws `quota` or `auth` for one that nobody may probe yet. */
async function takeProbes(
  { provider, pauses }: PauseDeps,
  kind: CallKind,
  known: ReadonlyMap<string, number>,
  probes: ServiceAlert[],
): Promise<void> {
  for (const alert of alertsOf(provider, kind)) {
    const name = pauseName(provider, alert);
    const permission = known.has(name) ? await pauses.permission(name) : 'free';
    if (permission === 'paused') throw new Failure(alert.reason, 'calls of this kind are paused');
    if (permission === 'probe') probes.push(alert);
  }
}

/** Returns whether the next call of a kind is a probe, or not allowed at all. Throws `database`. */
export async function isSuspended({ provider, pauses }: PauseDeps, kind: CallKind): Promise<boolean> {
  if (provider.state().state === 'down') return true;
  const known = await pauses.all();
  return alertsOf(provider, kind).some((alert) => known.has(pauseName(provider, alert)));
}

/** Lets the next call of a kind probe whether the quota was topped up; returns false if calls are not paused. Throws `database`. */
export async function probeQuota({ provider, pauses }: PauseDeps, kind: CallKind): Promise<boolean> {
  return pauses.release(pauseName(provider, { reason: 'quota', kind }));
}

/**
 * Returns what can pause calls of a kind. Each kind may have its own quota; credentials refused for one kind are refused for all that share
 * them.
 */
function alertsOf(provider: PauseDeps['provider'], kind: CallKind): readonly ServiceAlert[] {
  return [
    { reason: 'quota', kind },
    { reason: 'auth', credentials: provider.credentialsOf(kind) },
  ];
}

function pauseName({ fingerprint }: PauseDeps['provider'], alert: ServiceAlert): string {
  return alert.reason === 'quota' ? `quota:${alert.kind}` : `auth:${alert.credentials}:${fingerprint}`;
}
