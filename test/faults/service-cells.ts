/** The cells of the paid service: every endpoint, the ways to fail once or for good, and the expected outcome. */
import { BROKEN_CONNECTIONS, instead, NO_ANSWERS, ODD_BUT_TRUE, SILENCES } from './breakages.ts';
import type { Cell } from './cell.ts';
import { type Errand, recognition, speech, translation } from './errands.ts';
import { answerWith, type Breakage } from './fault-proxy.ts';

export interface ServiceCell extends Cell {
  /** What breaks, in words. */
  readonly fault: string;
  /** What the person is to get: `answer`, or the id of the words that say why not. */
  readonly expected: string;
  /** True where the service may have been paid without the ledger's knowing: it cannot know, and says so as `failed`. */
  readonly isUnknowable: boolean;
}

interface Endpoint {
  /** The last part of its path. */
  readonly call: string;
  readonly errand: Errand;
  /** An error in the endpoint's own form. */
  error(code: string, message: string): string;
}

const envelope = (msgId: string, msg: string): string =>
  JSON.stringify({ traceId: 'trace-1', msgId, msg, data: null });

const ENDPOINTS = {
  translation: { call: 'translation', errand: translation, error: envelope },
  speech: { call: 'stream', errand: speech, error: envelope },
  recognition: {
    call: 'general',
    errand: recognition,
    error: (code, message) => JSON.stringify({ error_code: Number(code), error_msg: message }),
  },
} as const satisfies Record<string, Endpoint>;

/** The real body under an error status: the body decides (spec §3). */
function withStatus(status: number): Breakage {
  return async ({ response, forward }) => answerWith(response, { ...(await forward()), status });
}

/** The true sound, and one byte more. */
const halfASample: Breakage = async ({ response, forward }) => {
  const { body } = await forward();
  response.writeHead(200).end(Buffer.concat([body, Buffer.alloc(1)]));
};

const tooMany = (retryAfter: string): Breakage => instead(429, '', { 'retry-after': retryAfter });

/**
 * Passes when it is asked for again: one of each kind, since that the others pass for the same, and how often and when is asked again, is
 * a table of `service/retry`.
 */
const PASSING: Record<string, Breakage> = {
  'reset before the work': BROKEN_CONNECTIONS['reset before the work'],
  'reset after the work': BROKEN_CONNECTIONS['reset after the work'],
  'reset within the answer': BROKEN_CONNECTIONS['reset within the answer'],
  'cut short of its length': BROKEN_CONNECTIONS['cut short of its length'],
  'a web page with 200': NO_ANSWERS['a web page with 200'],
  'status 503': NO_ANSWERS['status 503'],
  '429 for 1 s': tooMany('1'),
};

/** Right all the same. */
const TRUE: Record<string, Breakage> = {
  'a slow drip': ODD_BUT_TRUE['a slow drip'],
  'status 500 over the truth': withStatus(500),
};

/** Broken off after its first sample, speech is tried once more; paid for each time. */
const BREAKS_OFF_SPEECH = ['reset within the answer', 'cut short of its length', 'silent within the answer'];

/** Failures that also last, so that people hear of them. */
const LASTING = ['cut short of its length', 'status 503'];

function cellsOf(name: keyof typeof ENDPOINTS): ServiceCell[] {
  const { call, errand, error } = ENDPOINTS[name];
  const isSpeech = name === 'speech';
  const cell = (fault: string, breakage: Breakage, expected: string, times = 1): ServiceCell => ({
    call,
    errand,
    fault,
    breakage,
    expected,
    times,
    proxy: (stage) => (name === 'recognition' ? stage.auth : stage.base),
    isUnknowable: fault.startsWith('reset after the work'),
  });
  const silence = (fault: string): string =>
    isSpeech && BREAKS_OFF_SPEECH.includes(fault) ? 'answer' : 'failure-in-doubt';
  return [
    ...Object.entries(PASSING).map(([fault, breakage]) => cell(fault, breakage, 'answer')),
    ...Object.entries(TRUE).map(([fault, breakage]) => cell(fault, breakage, 'answer')),
    ...Object.entries(SILENCES).map(([fault, breakage]) => cell(fault, breakage, silence(fault))),
    ...Object.entries(PASSING)
      .filter(([fault]) => LASTING.includes(fault))
      .map(([fault, breakage]) => cell(`${fault}, again and again`, breakage, 'failure-unavailable', 99)),
    cell('silent, again and again', SILENCES['silent, and the work done'], 'failure-in-doubt', 99),
    cell('429 for 31 years', tooMany('1000000000'), 'failure-unavailable'),
    cell('an undocumented error', instead(200, error('5031001', 'ServiceBusy')), 'failure-unavailable'),
    ...(name === 'recognition'
      ? []
      : [
          cell('a parameter out of range', instead(200, error('500', 'lang')), 'failure-bad-request'),
          cell('input too long', instead(200, error('4004002', 'InputTooLong')), 'failure-too-long'),
          cell(
            'input too long, as sound',
            instead(200, error('4004002', 'InputTooLong'), { 'content-type': 'audio/pcm' }),
            'failure-too-long',
          ),
        ]),
    ...(isSpeech
      ? [
          cell('half a sample at the end', halfASample, 'answer'),
          cell(
            'speech that never comes whole',
            BROKEN_CONNECTIONS['reset within the answer'],
            'failure-unavailable',
            99,
          ),
        ]
      : []),
  ];
}

/** Each host's, for its circuit is its own. */
export const CELLS = {
  base: [...cellsOf('translation'), ...cellsOf('speech')],
  auth: cellsOf('recognition'),
};
