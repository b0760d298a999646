/** A PostgreSQL server that is out of reach, as opposed to one that refuses: it comes back, and is waited for. */
import { codeOf } from '../../errors.ts';
import { patiently } from '../../patience.ts';

const LOOK_AGAIN_MS = 1000;

/**
 * Begins the work anew for as long as it fails because the server is out of reach; throws what waiting cannot mend, and the
 * reason of `signal` when that aborts.
 */
export function onceInReach<T>(
  work: () => Promise<T>,
  onWaiting: (error: unknown) => void,
  signal?: AbortSignal,
): Promise<T> {
  const attempt = async (): Promise<T> => {
    signal?.throwIfAborted();
    return work();
  };
  const waitAfter = (error: unknown): number | undefined => {
    signal?.throwIfAborted();
    if (!isOutOfReach(error)) return undefined;
    onWaiting(error);
    return LOOK_AGAIN_MS;
  };
  return patiently(attempt, waitAfter, { signal });
}

/** Codes of errors that pass by themselves. */
const PASSING: ReadonlySet<string> = new Set([
  // The network's.
  ...['ECONNREFUSED', 'ECONNRESET', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN'],
  // PostgreSQL's: it shuts down, recovers from a crash, starts or stops.
  ...['57P01', '57P02', '57P03'],
  // Too many connections.
  '53300',
  // It takes no writes: a standby, to which the address leads until the failover is through.
  '25006',
]);

/**
 * What pg and Kysely say of a server that takes a connection and hangs up, at once or later, or never answers, and what a session says
 * while it has none (postgres-session.ts); these errors have no code.
 */
const UNANSWERED = new RegExp(
  [
    '^Connection terminated',
    '^timeout ',
    '^Query read timeout',
    '^Client has encountered a connection error',
    '^Postgres connection has been discarded',
    '^the connection to the database is lost',
  ].join('|'),
);

function isOutOfReach(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  return code === undefined ? UNANSWERED.test(error.message) : PASSING.has(code);
}
