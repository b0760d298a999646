/** Keeps calls back that could only fail: after the quota is used up, or our credentials are refused, nothing is tried for a while. */
import { Failure, isFailure } from '../errors.ts';
import type { CallKind } from '../paid-calls.ts';
import type { LateWrites } from '../store/late-writes.ts';
import type { Pauses } from '../store/money/pauses.ts';
import type { Provider } from './provider.ts';

/** What only the operator can mend: the provider's quota is used up, or it refuses our credentials. */
export type ServiceAlert =
  | { readonly reason: 'quota'; readonly kind: CallKind }
  | { readonly reason: 'auth'; readonly credentials: string };

/** Does the work unless it is paused; begins and ends the pauses by what comes of it. Throws `quota` or `auth` where it is paused. */
type WhileNotPaused = <T>(kind: CallKind, work: () => Promise<T>) => Promise<T>;

export interface ServicePauseOptions {
  readonly provider: Pick<Provider, 'credentialsOf' | 'fingerprint'>;
  readonly pauses: Pauses;
  /** Takes what finds no database: the ends of pauses, results. */
  readonly lateWrites: Pick<LateWrites, 'hold'>;
  /** Told of each pause that is begun. */
  readonly onAlert: (alert: ServiceAlert) => void;
}

/** The rule for calls that could only fail. */
export function createServicePause({
  provider,
  pauses,
  lateWrites,
  onAlert,
}: ServicePauseOptions): WhileNotPaused {
  const reasonOf = (alert: ServiceAlert): string =>
    alert.reason === 'quota' ? `quota:${alert.kind}` : `auth:${alert.credentials}:${provider.fingerprint}`;

  const endPause = async (reason: string): Promise<void> => {
    const end = () => pauses.end(reason);
    await end().catch(() => lateWrites.hold(end));
  };

  return async (kind, work) => {
    const alerts = possibleAlerts(provider, kind);
    let isProbe = false;
    // One look for all: there hardly ever is a pause.
    const known = await pauses.known(alerts.map(reasonOf));
    for (const alert of alerts.filter((one) => known.includes(reasonOf(one)))) {
      const permission = await pauses.permission(reasonOf(alert));
      if (permission === 'paused') throw new Failure(alert.reason, 'calls of this kind are paused');
      if (permission === 'probe') isProbe = true;
    }
    try {
      const result = await work();
      // The result is paid for, and given whatever becomes of the pauses.
      if (isProbe) for (const alert of alerts) await endPause(reasonOf(alert));
      return result;
    } catch (error) {
      const alert = alerts.find(({ reason }) => isFailure(error, reason));
      // A pause that cannot be begun is begun by the next refusal.
      const isNews = alert !== undefined && (await pauses.begin(reasonOf(alert)).catch(() => false));
      if (isNews) onAlert(alert);
      throw error;
    }
  };
}

/** Each kind may have a quota of its own; credentials that are refused for one kind are for all that share them. */
function possibleAlerts(provider: Pick<Provider, 'credentialsOf'>, kind: CallKind): ServiceAlert[] {
  return [
    { reason: 'quota', kind },
    { reason: 'auth', credentials: provider.credentialsOf(kind) },
  ];
}
