/** Pauses calls that could only fail: after the quota is used up, or our credentials are refused, none is made for a while (spec §4). */
import { Failure, isFailure } from '../errors.ts';
import type { CallKind } from '../paid-calls.ts';
import { outlastOutage } from '../store/database-errors.ts';
import type { Pauses } from '../store/money/pauses.ts';
import type { Provider } from './provider.ts';

/** A problem that only the operator can mend: the provider's quota is used up, or it refuses our credentials. */
export type ServiceAlert =
  | { readonly reason: 'quota'; readonly kind: CallKind }
  | { readonly reason: 'auth'; readonly credentials: string };

interface PauseDeps {
  readonly provider: Pick<Provider, 'credentialsOf' | 'fingerprint'>;
  readonly pauses: Pauses;
  /** Called for each pause that begins. */
  readonly onAlert: (alert: ServiceAlert) => void;
}

/**
 * Does the work unless calls of its kind are paused; begins and ends pauses by how it went. Throws `quota` or `auth` during a pause, and
 * `database`.
 */
export async function unlessPaused<T>(
  { provider, pauses, onAlert }: PauseDeps,
  kind: CallKind,
  work: () => Promise<T>,
): Promise<T> {
  // Each kind may have its own quota; credentials refused for one kind are refused for all that share them.
  const alerts: readonly ServiceAlert[] = [
    { reason: 'quota', kind },
    { reason: 'auth', credentials: provider.credentialsOf(kind) },
  ];
  const nameOf = (alert: ServiceAlert): string =>
    alert.reason === 'quota' ? `quota:${alert.kind}` : `auth:${alert.credentials}:${provider.fingerprint}`;

  const probes: ServiceAlert[] = [];
  try {
    // One query for all: there hardly ever is a pause.
    const known = await pauses.known(alerts.map(nameOf));
    for (const alert of alerts.filter((one) => known.includes(nameOf(one)))) {
      const permission = await pauses.permission(nameOf(alert));
      if (permission === 'paused') throw new Failure(alert.reason, 'calls of this kind are paused');
      if (permission === 'probe') probes.push(alert);
    }
    const result = await work();
    // A pause that cannot be ended in the end has its next probe in ten minutes.
    const ended = probes.length > 0 ? alerts : [];
    for (const alert of ended) await outlastOutage(() => pauses.end(nameOf(alert))).catch(() => {});
    return result;
  } catch (error) {
    const alert = alerts.find(({ reason }) => isFailure(error, reason));
    // Anything else (a limit, /cancel) proves nothing: the next caller may probe. If that cannot be written, it may in ten minutes.
    for (const probe of probes) if (probe !== alert) await pauses.release(nameOf(probe)).catch(() => {});
    // If a pause cannot begin now, the next refusal begins it.
    if (alert !== undefined && (await pauses.begin(nameOf(alert)).catch(() => false))) onAlert(alert);
    throw error;
  }
}
