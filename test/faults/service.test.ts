/** The fault matrix of the paid service: in the end the right answer, or the right words; and the ledger says what was charged. */
import PQueue from 'p-queue';
import { beforeAll, describe, expect, it } from 'vitest';
import { INTERFACE_LANGUAGES } from '../../src/language/interface-language.ts';
import { isProgress } from '../phrases.ts';
import { FAULTS, instead } from './breakages.ts';
import { CELL_TIMEOUT_MS, type Outcome, runCell } from './cell.ts';
import { type Errand, recognition, speech, translation } from './errands.ts';
import { answerWith, type Breakage, type FaultProxy } from './fault-proxy.ts';
import { leavesNothing, type Residue } from './residue.ts';
import { type Stage, useStage } from './stage.ts';

const ENDPOINTS: Record<string, { call: string; errand: Errand; proxy: (stage: Stage) => FaultProxy }> = {
  translation: { call: 'translation', errand: translation, proxy: ({ toBase }) => toBase },
  speech: { call: 'stream', errand: speech, proxy: ({ toBase }) => toBase },
  recognition: { call: 'general', errand: recognition, proxy: ({ toAuth }) => toAuth },
};

interface ServiceFault {
  readonly breakage: Breakage;
  /** What people are to get: `answer`, or the id of the words that say why not. */
  readonly told: string;
  /** Where they get something else. */
  readonly ofSpeech?: string;
  readonly times?: number;
  readonly only?: readonly string[];
}

/** An error in the form of every endpoint. */
const error = (code: number, message: string): Breakage =>
  instead(
    200,
    JSON.stringify({
      ...{ traceId: 'trace-1', msgId: String(code), msg: message, data: null },
      ...{ error_code: code, error_msg: message },
    }),
  );
const tooMany = (retryAfter: string): Breakage => instead(429, '', { 'retry-after': retryAfter });
const ENVELOPES = ['translation', 'speech'];
const [IN_DOUBT, UNAVAILABLE] = ['failure-in-doubt', 'failure-unavailable'];

/** One of each kind: that others pass for the same, and how often and when is asked again, is a table of `service/retry`. */
const CASES: Record<string, ServiceFault> = {
  'a reset before the work': { breakage: FAULTS['reset before the work'], told: 'answer' },
  'a reset after the work': { breakage: FAULTS['reset after the work'], told: 'answer' },
  'an answer cut short': { breakage: FAULTS['cut short of its length'], told: 'answer' },
  'a web page': { breakage: FAULTS['a web page with 200'], told: 'answer' },
  'status 503': { breakage: instead(503, ''), told: 'answer' },
  '429 for 1 s': { breakage: tooMany('1'), told: 'answer' },
  'status 500 over the truth': {
    breakage: async ({ response, forward }) => answerWith(response, { ...(await forward()), status: 500 }),
    told: 'answer',
  },
  'silence before the work': { breakage: FAULTS['silent, and the work not done'], told: IN_DOUBT },
  'silence after the work, again and again': {
    breakage: FAULTS['silent, and the work done'],
    told: IN_DOUBT,
    times: 99,
  },
  // Broken off after its first sample, speech is tried once more; paid for each time.
  'silence within the answer': {
    breakage: FAULTS['silent within the answer'],
    told: IN_DOUBT,
    ofSpeech: 'answer',
  },
  'half a sample at the end': {
    breakage: async ({ response, forward }) => {
      const { body } = await forward();
      response.writeHead(200).end(Buffer.concat([body, Buffer.alloc(1)]));
    },
    told: 'answer',
    only: ['speech'],
  },
  'answers cut short, again and again': {
    breakage: FAULTS['cut short of its length'],
    told: UNAVAILABLE,
    times: 99,
  },
  'status 503, again and again': { breakage: instead(503, ''), told: UNAVAILABLE, times: 99 },
  '429 for 31 years': { breakage: tooMany('1000000000'), told: UNAVAILABLE },
  'an undocumented error': { breakage: error(5_031_001, 'ServiceBusy'), told: UNAVAILABLE },
  'a parameter out of range': { breakage: error(500, 'lang'), told: 'failure-bad-request', only: ENVELOPES },
  'input too long': { breakage: error(4_004_002, 'TooLong'), told: 'failure-too-long', only: ENVELOPES },
};

const cells = Object.entries(ENDPOINTS).flatMap(([endpoint, where]) =>
  Object.entries(CASES)
    .filter(([, { only }]) => only === undefined || only.includes(endpoint))
    .map(([fault, { told, ofSpeech = told, ...rest }]) => ({
      ...where,
      ...rest,
      endpoint,
      fault,
      expected: endpoint === 'speech' ? ofSpeech : told,
    })),
);

const stage = useStage({ env: { SERVICE_TIMEOUT_MS: '2000' } });
let before: Residue;
let outcomes: Promise<Outcome>[];
beforeAll(async () => {
  for (const { errand } of Object.values(ENDPOINTS)) await isServed(errand);
  before = await stage.residue();
  // Each host has a circuit of its own. Too few failures in a row to open one (5 do): a request succeeds after each cell.
  const hosts = { base: new PQueue({ concurrency: 2 }), auth: new PQueue({ concurrency: 2 }) };
  outcomes = cells.map((cell, index) => {
    const person = { languageCode: INTERFACE_LANGUAGES[index % INTERFACE_LANGUAGES.length] ?? 'en' };
    const isOfAuth = cell.endpoint === 'recognition';
    return hosts[isOfAuth ? 'auth' : 'base'].add(async () => {
      const outcome = await runCell(stage, { ...cell, person });
      await isServed(isOfAuth ? recognition : translation);
      return outcome;
    });
  });
  for (const outcome of outcomes) outcome.catch(() => {});
});

/** The bot goes on: the next request of another person is answered. It also closes the circuit's count of failures. */
async function isServed(errand: Errand): Promise<void> {
  const { begin, isAnswer } = await errand(stage, stage.newcomer());
  await stage.answerTo(await begin(), isAnswer);
}

describe('the service’s endpoint', () => {
  it.each(cells.map((cell, index) => ({ ...cell, index })))(
    '$endpoint that meets $fault: $expected',
    async ({ index, expected, fault, times = 1 }) => {
      const outcome = await outcomes[index];
      if (outcome === undefined) throw new Error('the cell was not run');
      const { told, account, charged, broken, messages, answers } = outcome;
      expect(told).toBe(expected);
      expect(broken).toBeGreaterThan(0);
      expect(broken).toBeLessThanOrEqual(Math.min(times, 3));
      expect(messages.filter(isProgress)).toEqual([]);
      expect(answers).toBe(expected === 'answer' ? 1 : 0);
      expect(account.charged).toBeLessThanOrEqual(charged);
      // After such a reset the ledger cannot know of the work, and says so as `failed`.
      const isUnknowable = fault === 'a reset after the work';
      expect(charged).toBeLessThanOrEqual(
        account.charged + account.inDoubt + (isUnknowable ? account.failed : 0),
      );
    },
    CELL_TIMEOUT_MS,
  );
});

it('nothing of it is left behind', { timeout: CELL_TIMEOUT_MS }, async () => {
  await Promise.allSettled(outcomes);
  await leavesNothing(() => stage.residue(), before);
});
