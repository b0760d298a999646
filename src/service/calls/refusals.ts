/** Refusals that hold for every call of a kind: what waits in line behind one is not sent only to be refused as well. */
import type { CallKind } from '../../paid-calls.ts';
import { ServiceFailure } from '../failure.ts';
import { TOKEN_INVALID } from '../wire/error-body.ts';

export interface Refusals {
  /** To be asked before a call waits; the function given back throws `quota` or `auth` where one of its kind was refused meanwhile. */
  watch(kind: CallKind): () => void;
  /** Tells how a try of this kind failed. */
  note(kind: CallKind, error: unknown): void;
}

/** Nothing is refused yet. A call that comes later is sent: whoever makes it knows how long to leave the service alone. */
export function createRefusals(): Refusals {
  const latest = new Map<CallKind, ServiceFailure>();
  return {
    watch(kind) {
      const before = latest.get(kind);
      return () => {
        const now = latest.get(kind);
        if (now === undefined || now === before) return;
        throw new ServiceFailure(now.kind, 'not sent: the service has just refused another call of its kind');
      };
    },
    note(kind, error) {
      if (error instanceof ServiceFailure && isForAll(error)) latest.set(kind, error);
    },
  };
}

/** A token that is no longer valid is renewed, and says nothing of the next call. */
function isForAll({ kind, code }: ServiceFailure): boolean {
  return kind === 'quota' || (kind === 'auth' && code !== TOKEN_INVALID);
}
