/** A result that is used again is counted, for the figures and in the ledger. */
import type { Log } from '../log.ts';
import type { CallKind } from '../paid-calls.ts';
import type { Ledger } from '../store/money/ledger.ts';
import type { Asker } from '../store/money/scopes.ts';

interface ReuseParts {
  readonly ledger: Pick<Ledger, 'reuse'>;
  readonly log: Log;
  /** Told of every result that was used again instead of paid for. */
  readonly onReuse?: ((kind: CallKind) => void) | undefined;
}

/** Nobody waits for it; what the ledger could not be told is logged. */
export function noteReuse({ ledger, log, onReuse }: ReuseParts, asker: Asker, kind: CallKind): void {
  onReuse?.(kind);
  ledger.reuse(asker, kind).catch((error: unknown) => log.warn({ error }, 'a saved call was not noted'));
}
