/** Keeps calls back that could only fail: after the quota is used up, or our credentials are refused, nothing is tried for a while. */
import { Failure, isFailure } from '../errors.ts';
import type { CallKind } from '../paid-calls.ts';
import type { LateWrites } from '../store/late-writes.ts';
import type { Pauses } from '../store/money/pauses.ts';
import type { OnAlert } from './alert.ts';

/** Does the work unless it is paused; begins and ends the pauses by what comes of it. Throws `quota` or `auth` where it is paused. */
export type WhileNotPaused = <T>(kind: CallKind, work: () => Promise<T>) => Promise<T>;

export interface ServicePauseOptions {
  readonly pauses: Pauses;
  /** Takes the ends of pauses that find no database. */
  readonly lateWrites: Pick<LateWrites, 'hold'>;
  /** A fingerprint of the configured ones. With others, as after a refusal was mended, no pause of the old ones holds. */
  readonly credentials: string;
  readonly onAlert: OnAlert;
}

/** The rule for calls that could only fail. */
export function createServicePause({
  pauses,
  lateWrites,
  credentials,
  onAlert,
}: ServicePauseOptions): WhileNotPaused {
  const reasonOf = (alert: ReturnType<typeof possibleAlerts>[number]): string =>
    alert.reason === 'quota' ? `quota:${alert.kind}` : `auth:${alert.credentials}:${credentials}`;

  const endPause = async (reason: string): Promise<void> => {
    const end = () => pauses.end(reason);
    await end().catch(() => lateWrites.hold(end));
  };

  return async (kind, work) => {
    const alerts = possibleAlerts(kind);
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

/**
 * Translation and speech have a quota each (service-interface §7.2); recognition has its token, the other two share the
 * X-Secret (§5): what is refused for one is refused for both.
 */
function possibleAlerts(kind: CallKind) {
  return [
    { reason: 'quota', kind },
    { reason: 'auth', credentials: kind === 'recognition' ? 'token' : 'x-secret' },
  ] as const;
}
