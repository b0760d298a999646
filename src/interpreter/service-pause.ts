/** Pauses calls that could only fail: the quota is used up, or the provider refuses our credentials. */
import { Failure, isFailure } from '../errors.ts';
import type { CallKind } from '../paid-calls.ts';
import type { LateWrites } from '../store/late-writes.ts';
import type { Pauses } from '../store/money/pauses.ts';
import type { Provider } from './provider.ts';

/** A problem that only the operator can mend: the provider's quota is used up, or it refuses our credentials. */
export type ServiceAlert =
  | { readonly reason: 'quota'; readonly kind: CallKind }
  | { readonly reason: 'auth'; readonly credentials: string };

/** Runs the work unless calls of its kind are paused; begins and ends pauses by its result. Throws `quota` or `auth` during a pause. */
type WhileNotPaused = <T>(kind: CallKind, work: () => Promise<T>) => Promise<T>;

export interface ServicePauseOptions {
  readonly provider: Pick<Provider, 'credentialsOf' | 'fingerprint'>;
  readonly pauses: Pauses;
  /** Takes writes that fail because the database is away: ends of pauses, results. */
  readonly lateWrites: Pick<LateWrites, 'hold'>;
  /** Called for each pause that begins. */
  readonly onAlert: (alert: ServiceAlert) => void;
}

/** Makes the pause; see `WhileNotPaused`. */
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
    // One query for all: there hardly ever is a pause.
    const known = await pauses.known(alerts.map(reasonOf));
    for (const alert of alerts.filter((one) => known.includes(reasonOf(one)))) {
      const permission = await pauses.permission(reasonOf(alert));
      if (permission === 'paused') throw new Failure(alert.reason, 'calls of this kind are paused');
      if (permission === 'probe') isProbe = true;
    }
    try {
      const result = await work();
      // The result is paid for, so it is given even if a pause cannot be ended.
      if (isProbe) for (const alert of alerts) await endPause(reasonOf(alert));
      return result;
    } catch (error) {
      const alert = alerts.find(({ reason }) => isFailure(error, reason));
      // If a pause cannot begin now, the next refusal begins it.
      const isNews = alert !== undefined && (await pauses.begin(reasonOf(alert)).catch(() => false));
      if (isNews) onAlert(alert);
      throw error;
    }
  };
}

/** Each kind may have its own quota; credentials refused for one kind are refused for all that share them. */
function possibleAlerts(provider: Pick<Provider, 'credentialsOf'>, kind: CallKind): ServiceAlert[] {
  return [
    { reason: 'quota', kind },
    { reason: 'auth', credentials: provider.credentialsOf(kind) },
  ];
}
