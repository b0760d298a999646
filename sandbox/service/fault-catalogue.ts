/** The ways in which the local service can be told to fail, each with a label and the kinds of call it applies to. */
import { DOCUMENTED_ERRORS } from './answers.ts';
import { CALL_KINDS, type CallKind } from './call-log.ts';

/** A call that meets a fault is charged only where it says so. */
export type Fault =
  /** A documented error (service-interface §7), by its code. */
  | { readonly type: 'error'; readonly code: string | number }
  /** An HTTP status with a body that is no envelope; `retryAfter` is the header's value. */
  | {
      readonly type: 'status';
      readonly status: number;
      readonly body?: string;
      readonly retryAfter?: string | number;
    }
  /**
   * The true answer, late: when `until` is settled, then milliseconds before the first byte and, in speech, before every further chunk.
   * Charged.
   */
  | {
      readonly type: 'slow';
      readonly ms: number;
      readonly msPerChunk?: number;
      readonly until?: Promise<unknown>;
    }
  | { readonly type: PlainFault };

type PlainFault =
  /** An error of the right shape with a code that no document names. */
  | 'undocumented-error'
  /** The connection is cut before the request is read. */
  | 'refuse'
  /** The connection is cut after the request was read, before the work. */
  | 'reset'
  /** No answer ever comes, though the work was done: charged. */
  | 'hang'
  /** The connection is cut after half of the true answer. Charged. */
  | 'break-off'
  /** The audio ends with half a sample, properly closed. Charged. */
  | 'odd-bytes'
  | 'empty'
  | 'not-json'
  /** JSON, but without the fields that make it an answer. */
  | 'missing-fields'
  | 'quota'
  | 'auth'
  /** Every token issued so far is forgotten, this call's too; a new one works. */
  | 'token-expired'
  /** An error envelope with status 200 and, in speech, the content type of audio. */
  | 'envelope-200';

interface CatalogueEntry {
  readonly label: string;
  readonly kinds: readonly CallKind[];
  readonly fault: Fault;
}

const ENVELOPES: readonly CallKind[] = ['translation', 'speech'];

const CATALOGUE = {
  quota: { label: 'Quota used up (2001001)', kinds: ENVELOPES, fault: { type: 'quota' } },
  auth: { label: 'Credentials refused', kinds: CALL_KINDS, fault: { type: 'auth' } },
  'token-expired': { label: 'Token expired (110)', kinds: ['recognition'], fault: { type: 'token-expired' } },
  'too-long': {
    label: 'Input too long (4004002)',
    kinds: ENVELOPES,
    fault: { type: 'error', code: '4004002' },
  },
  'bad-parameter': {
    label: 'Parameter out of range (500)',
    kinds: ENVELOPES,
    fault: { type: 'error', code: '500' },
  },
  'undocumented-error': {
    label: 'An error no document names',
    kinds: CALL_KINDS,
    fault: { type: 'undocumented-error' },
  },
  'envelope-200': {
    label: 'Error envelope with HTTP 200',
    kinds: ENVELOPES,
    fault: { type: 'envelope-200' },
  },
  'status-429': {
    label: 'Too many requests (429)',
    kinds: CALL_KINDS,
    fault: { type: 'status', status: 429, retryAfter: 1 },
  },
  'status-503': { label: 'Unavailable (503)', kinds: CALL_KINDS, fault: { type: 'status', status: 503 } },
  refuse: { label: 'Connection cut at once', kinds: CALL_KINDS, fault: { type: 'refuse' } },
  reset: { label: 'Connection cut before the answer', kinds: CALL_KINDS, fault: { type: 'reset' } },
  hang: { label: 'Never answers (charged)', kinds: CALL_KINDS, fault: { type: 'hang' } },
  slow: {
    label: 'Slow: 5 s before the first byte (charged)',
    kinds: CALL_KINDS,
    fault: { type: 'slow', ms: 5_000, msPerChunk: 200 },
  },
  'break-off': { label: 'Breaks off halfway (charged)', kinds: CALL_KINDS, fault: { type: 'break-off' } },
  'odd-bytes': {
    label: 'Audio ends in half a sample (charged)',
    kinds: ['speech'],
    fault: { type: 'odd-bytes' },
  },
  empty: { label: 'Empty answer (not charged)', kinds: CALL_KINDS, fault: { type: 'empty' } },
  'not-json': {
    label: 'A web page instead of JSON (not charged)',
    kinds: ['token', 'recognition', 'translation'],
    fault: { type: 'not-json' },
  },
  'missing-fields': {
    label: 'JSON without its fields (not charged)',
    kinds: CALL_KINDS,
    fault: { type: 'missing-fields' },
  },
} as const satisfies Readonly<Record<string, CatalogueEntry>>;

export type FaultId = keyof typeof CATALOGUE;

export interface FaultSwitch {
  readonly id: FaultId;
  readonly label: string;
  readonly kinds: readonly CallKind[];
}

/** Every fault that has a name of its own, for a page to make switches of. */
export function listFaults(): readonly FaultSwitch[] {
  return Object.keys(CATALOGUE)
    .filter(isFaultId)
    .map((id) => ({ id, label: CATALOGUE[id].label, kinds: CATALOGUE[id].kinds }));
}

/** True for the id of a fault in the catalogue. */
export function isFaultId(id: string): id is FaultId {
  return Object.hasOwn(CATALOGUE, id);
}

/** The fault behind an id. */
export function faultCalled(id: FaultId): Fault {
  return CATALOGUE[id].fault;
}

/** The kinds of call that a fault can befall: `odd-bytes` only speech, an `error` only where its code is documented. */
export function kindsOf(fault: Fault): readonly CallKind[] {
  if (fault.type === 'error') return DOCUMENTED_ERRORS[String(fault.code)]?.kinds ?? [];
  if (fault.type === 'status') return CALL_KINDS;
  return CATALOGUE[fault.type].kinds;
}
