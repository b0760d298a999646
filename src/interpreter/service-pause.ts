/** Keeps calls back that could only fail: after the quota is used up, or our credentials are refused, nothing is tried for a while. */
import { Failure, isFailure } from '../errors.ts';
import type { CallKind } from '../store/ledger.ts';
import type { Pauses } from '../store/pauses.ts';

/** What whoever runs the bot has to hear of, once. */
export type Alert =
  | { readonly reason: 'quota'; readonly kind: CallKind }
  | { readonly reason: 'auth'; readonly credentials: 'token' | 'x-secret' }
  | { readonly reason: 'ledger' };

export type OnAlert = (alert: Alert) => void;

/** Does the work unless it is paused; begins and ends the pauses by what comes of it. Throws `quota` or `auth` where it is paused. */
export type WhileNotPaused = <T>(kind: CallKind, work: () => Promise<T>) => Promise<T>;

/**
 * `credentials` tells the configured ones apart without giving them away: with others, after a refusal was mended, no pause of
 * the old ones holds.
 */
export function createServicePause(pauses: Pauses, credentials: string, onAlert: OnAlert): WhileNotPaused {
  const reasonOf = (alert: ReturnType<typeof possibleAlerts>[number]): string =>
    alert.reason === 'quota' ? `quota:${alert.kind}` : `auth:${alert.credentials}:${credentials}`;

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
      if (isProbe) for (const alert of alerts) await pauses.end(reasonOf(alert));
      return result;
    } catch (error) {
      const alert = alerts.find(({ reason }) => isFailure(error, reason));
      if (alert !== undefined && (await pauses.begin(reasonOf(alert)))) onAlert(alert);
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
