/** One call from its first byte to its last: log, fault, work, charge, answer. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { readBody } from '../http.ts';
import { errorAnswer, type ServiceAnswer } from './answers.ts';
import type { Pace } from './audio-stream.ts';
import type { CallKind, CallLog } from './call-log.ts';
import { deliver } from './delivery.ts';
import type { Endpoint, Order } from './endpoint.ts';
import type { Fault } from './fault-catalogue.ts';
import type { Latency, ServiceFaults } from './faults.ts';
import { stagedAnswer } from './staged-answers.ts';
import type { Tokens } from './tokens.ts';

/** No valid request holds more: an image at its limit with every character of its base64 percent-encoded, and the other fields. */
const MAX_BODY_BYTES = 3 * 10 * 1024 * 1024 + 64 * 1024;

interface CallHandlerParts {
  readonly log: CallLog;
  readonly faults: ServiceFaults;
  readonly tokens: Tokens;
}

export type CallHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  query: URLSearchParams,
) => Promise<void>;

/** Serves the calls of one endpoint. */
export function createCallHandler(endpoint: Endpoint, parts: CallHandlerParts): CallHandler {
  const { log, faults, tokens } = parts;
  const { kind } = endpoint;

  return async (request, response, query) => {
    const fault = faults.take(kind);
    const amend = log.open(kind, fault?.type);
    const gone = whenClosed(response);
    const abort = () => {
      amend({ outcome: 'aborted' });
      response.destroy();
    };

    if (fault?.type === 'refuse') return abort();
    const body = await readBody(request, MAX_BODY_BYTES).catch(() => undefined);
    if (body === undefined) return abort();
    const order = await endpoint.read({ query, headers: request.headers, body });
    amend({ parameters: order.parameters, characters: order.characters });

    if (fault?.type === 'reset') return abort();
    if (fault?.type === 'token-expired') tokens.revokeAll();
    const staged = fault && stagedAnswer(kind, fault);
    const answer = staged ?? (await trueAnswer(order, kind));
    const isSuccess = staged === undefined && answer.errorCode === undefined;
    amend({
      charged: isSuccess && kind !== 'token',
      ...(answer.errorCode === undefined ? {} : { errorCode: answer.errorCode }),
    });
    if (fault?.type === 'hang') return onceAborted(gone, abort);
    if (fault?.type === 'slow' && !fault.isBegun)
      await Promise.race([fault.until, new Promise<void>((resolve) => onceAborted(gone, resolve))]);

    const isWhole = await deliver(answer, {
      response,
      fault,
      pace: paceOf(kind, isSuccess, faults.latency, fault),
      isTorn: faults.torn,
      gone,
      completing: () => amend({ outcome: isSuccess ? 'ok' : 'error' }),
    });
    if (!isWhole) abort();
  };
}

/** An engine that fails is the service's own failure, for which no code is documented. */
async function trueAnswer(order: Order, kind: CallKind): Promise<ServiceAnswer> {
  try {
    return await order.answer();
  } catch {
    return errorAnswer(kind, '5000001', 'InternalError');
  }
}

function paceOf(kind: CallKind, isSuccess: boolean, latency: Latency, fault: Fault | undefined): Pace {
  const slow = fault?.type === 'slow' ? { msPerChunk: 0, ...fault } : { ms: 0, msPerChunk: 0 };
  const work = { token: 0, ...latency, speech: latency.speechFirstByte };
  return {
    msBeforeFirst: slow.ms + (isSuccess ? work[kind] : 0),
    msPerChunk: slow.msPerChunk,
    rest: fault?.type === 'slow' && fault.isBegun ? fault.until : undefined,
  };
}

function whenClosed(response: ServerResponse): AbortSignal {
  const closed = new AbortController();
  response.once('close', () => closed.abort());
  return closed.signal;
}

function onceAborted(signal: AbortSignal, listener: () => void): void {
  if (signal.aborted) listener();
  else signal.addEventListener('abort', listener, { once: true });
}
