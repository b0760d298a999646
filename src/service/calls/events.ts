/** The events of a provider for metrics and the log: numbers and names alone, never a text, a secret or an address. */
import { type FailureKind, isFailure } from '../../errors.ts';
import type { CallKind } from '../../paid-calls.ts';
import type { CircuitReport } from './circuit.ts';

/** The end of something: success, a failure of this kind, or an unexpected error. */
export type Ending = 'ok' | FailureKind | 'error';
/** The end of a stream of speech after its first sample; `abandoned` by its reader. */
export type SpeechEnding = 'whole' | 'broken-off' | 'abandoned';

export type ServiceEvent =
  /** One try of a paid call ended; speech ends with its first sample. `attempt` counts from 1; `traceId` is the provider's own. */
  | {
      type: 'try';
      kind: CallKind;
      outcome: Ending;
      attempt: number;
      ms: number;
      traceId?: string | undefined;
    }
  /** A speech stream ended after its first sample. */
  | { type: 'speech-ended'; outcome: SpeechEnding }
  /** A token exchange ended, including its retries. */
  | { type: 'token'; outcome: Ending; ms: number }
  /** The outcome of a try could not be recorded. `error`: the error's name or code. */
  | { type: 'settle-failed'; kind: CallKind; error: string }
  /** A circuit has opened or closed. `host`: the provider's name for what it guards. */
  | ({ type: 'circuit'; host: string } & CircuitReport);

/** Must not throw. */
export type OnEvent = (event: ServiceEvent) => void;

export function endingOf(error: unknown): Ending {
  return isFailure(error) ? error.kind : 'error';
}
