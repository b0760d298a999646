/** Holds answers against requests: every request is answered once, in its chat, with what was asked for. */
import { markIn, translationOf } from '../marks.ts';
import type { Request } from './requests.ts';
import { oggLengthMs } from './sound.ts';
import type { Sent } from './telegram.ts';

export interface Exchanged {
  readonly request: Request;
  /** ms of the monotonic clock */
  readonly askedAt: number;
  readonly answeredAt: number | undefined;
}

export interface Faults {
  lost: number;
  doubled: number;
  wrong: number;
}

export interface Exchange {
  asked(request: Request): void;
  /** Takes what a bot sent; returns the file id of a voice note. */
  sent(sent: Sent): string | undefined;
  /** How many requests wait for their answer. */
  waiting(): number;
  all(): Exchanged[];
  /** Counts everything unanswered as lost. */
  faults(): Faults;
}

/** Opus keeps whole packets of 60 ms; whether a bot rounds the duration for Telegram does not matter here. */
const LENGTH_TOLERANCE_MS = 70;

/** `onAnswered` gets the first answer to each request, right or wrong. */
export function createExchange(onAnswered: (request: Request) => void): Exchange {
  const exchanged = new Map<string, { request: Request; askedAt: number; answeredAt: number | undefined }>();
  let doubled = 0;
  let wrong = 0;
  let waiting = 0;
  const exchangeKey = (person: number, mark: number): string => `${person}:${mark}`;

  return {
    asked: (request) => {
      waiting += 1;
      const entry = { request, askedAt: performance.now(), answeredAt: undefined };
      exchanged.set(exchangeKey(request.person, request.mark), entry);
    },

    sent: (sent) => {
      const mark = markIn(sent.words);
      const entry = mark === undefined ? undefined : exchanged.get(exchangeKey(sent.chat, mark));
      if (entry === undefined || mark === undefined) {
        wrong += 1;
        return undefined;
      }
      if (entry.answeredAt !== undefined) {
        doubled += 1;
        return undefined;
      }
      entry.answeredAt = sent.at;
      waiting -= 1;
      if (!answers(sent, entry.request)) wrong += 1;
      onAnswered(entry.request);
      return sent.method === 'sendVoice' ? fileIdOf(mark) : undefined;
    },

    waiting: () => waiting,
    all: () => [...exchanged.values()],
    faults: () => ({ lost: waiting, doubled, wrong }),
  };
}

function answers({ method, words, file, fileId }: Sent, { kind, mark, speechMs }: Request): boolean {
  if (kind !== 'speech') return method === 'sendMessage' && words.includes(translationOf(mark));
  if (method !== 'sendVoice') return false;
  if (file === undefined) return fileId === fileIdOf(mark);
  return Math.abs(oggLengthMs(file) - speechMs) <= LENGTH_TOLERANCE_MS;
}

function fileIdOf(mark: number): string {
  return `voice-${mark}`;
}
