/** The loop around one try: asks the policy, waits, tries again. */
import { pause } from '../abort.ts';
import { ServiceFailure } from '../failure.ts';
import { retryDelayMs, shouldRetry } from './retry-policy.ts';

interface Retrying {
  readonly signal: AbortSignal;
  random(): number;
  /** False ends the tries early, whatever the policy says. */
  mayRetry?(): boolean;
}

/** What `attempt` gives in one of its tries, numbered from 1; throws what the last one threw, or `cancelled` while waiting. */
export async function withRetries<T>(
  attempt: (number: number) => Promise<T>,
  { signal, random, mayRetry = () => true }: Retrying,
): Promise<T> {
  for (let number = 1; ; number++) {
    try {
      return await attempt(number);
    } catch (error) {
      const again = error instanceof ServiceFailure && shouldRetry(error, number) && mayRetry();
      if (!again) throw error;
      await pause(retryDelayMs(number, error.retryAfterMs, random()), signal);
    }
  }
}
