/** The answers by which faults replace the true one. */
import { documentedError, envelope, errorAnswer, jsonAnswer, type ServiceAnswer } from './answers.ts';
import type { CallKind } from './call-log.ts';
import type { Fault } from './fault-catalogue.ts';

const WEB_PAGE = '<!doctype html><html><body><h1>Bad gateway</h1></body></html>';

const AUTH_CODES: Readonly<Record<CallKind, string>> = {
  token: '6',
  recognition: '110',
  translation: '4011001',
  speech: '4011001',
};

/** The answer that replaces the true one; undefined for faults that keep it. */
export function stagedAnswer(kind: CallKind, fault: Fault): ServiceAnswer | undefined {
  switch (fault.type) {
    case 'error':
      return documentedError(kind, String(fault.code));
    case 'auth':
      return documentedError(kind, AUTH_CODES[kind]);
    case 'token-expired':
      return documentedError(kind, '110');
    case 'quota':
      return documentedError(kind, '2001001');
    case 'undocumented-error':
      return undocumentedError(kind);
    case 'envelope-200':
      return disguisedError(kind);
    case 'status':
      return bareStatus(fault.status, fault.body ?? WEB_PAGE, fault.retryAfter);
    case 'not-json':
      return bareStatus(200, WEB_PAGE);
    case 'empty':
      return { status: 200, headers: {}, body: Buffer.alloc(0) };
    case 'missing-fields':
      return jsonAnswer('{"msg":"success"}');
    default:
      return undefined;
  }
}

function undocumentedError(kind: CallKind): ServiceAnswer {
  const hasEnvelope = kind === 'translation' || kind === 'speech';
  const [code, message] = hasEnvelope
    ? ['5031001', 'ServiceBusy']
    : ['18', 'Open api qps request limit reached'];
  return errorAnswer(kind, code, message);
}

/** An error that neither the status nor, in speech, the content type reveals. */
function disguisedError(kind: CallKind): ServiceAnswer {
  const error = envelope('500', 'inputText out of range', null);
  const headers = kind === 'speech' ? { 'content-type': 'application/octet-stream' } : error.headers;
  return { ...error, status: 200, headers };
}

function bareStatus(status: number, body: string, retryAfter?: string | number): ServiceAnswer {
  const headers: Record<string, string> = { 'content-type': 'text/html' };
  if (retryAfter !== undefined) headers['retry-after'] = String(retryAfter);
  return { status, headers, body: Buffer.from(body) };
}
