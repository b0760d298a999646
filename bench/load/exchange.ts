/** Holds answers against requests: every request is answered once, in its chat, with what was asked for. */
import { markIn, translationOf } from '../marks.ts';
import { answerMark, type Kind, NO_MARK, type Request } from './requests.ts';
import { oggLengthMs } from './sound.ts';
import type { Sent } from './telegram.ts';

export interface Exchanged {
  readonly request: Request;
  /** ms of the monotonic clock */
  readonly askedAt: number;
  readonly answeredAt: number | undefined;
}

export interface Faults {
  readonly lost: number;
  readonly doubled: number;
  readonly wrong: number;
}

/** Opus keeps whole packets of 60 ms; whether a bot rounds the duration for Telegram does not matter here. */
const LENGTH_TOLERANCE_MS = 70;
/** The method that answers a kind, if it is not a message. */
const METHODS: Partial<Record<Kind, string>> = {
  speech: 'sendVoice',
  inline: 'answerInlineQuery',
  edit: 'editMessageText',
};

export class Exchange {
  readonly #exchanged = new Map<string, Exchanged>();
  readonly #onAnswered: (request: Request, answer: Sent) => void;
  #doubled = 0;
  #wrong = 0;
  #waiting = 0;

  /** `onAnswered` gets the first answer to each request, right or wrong. */
  constructor(onAnswered: (request: Request, answer: Sent) => void) {
    this.#onAnswered = onAnswered;
  }

  asked(request: Request): void {
    this.#waiting += 1;
    const key = keyOf(request.where, answerMark(request));
    this.#exchanged.set(key, { request, askedAt: performance.now(), answeredAt: undefined });
  }

  /** Takes what a bot sent; returns the file id of a voice note. */
  sent(sent: Sent): string | undefined {
    const mark = markIn(sent.words) ?? NO_MARK;
    const key = keyOf(sent.where, mark);
    const entry = this.#exchanged.get(key);
    if (entry === undefined) this.#wrong += 1;
    else if (entry.answeredAt !== undefined) this.#doubled += 1;
    else {
      this.#exchanged.set(key, { ...entry, answeredAt: sent.at });
      this.#waiting -= 1;
      if (!answers(sent, entry.request)) this.#wrong += 1;
      this.#onAnswered(entry.request, sent);
      return sent.method === 'sendVoice' ? fileIdOf(mark) : undefined;
    }
    return undefined;
  }

  /** How many requests wait for their answer. */
  waiting(): number {
    return this.#waiting;
  }

  all(): Exchanged[] {
    return [...this.#exchanged.values()];
  }

  /** Counts everything unanswered as lost. */
  faults(): Faults {
    return { lost: this.#waiting, doubled: this.#doubled, wrong: this.#wrong };
  }
}

function keyOf(where: string, mark: number): string {
  return `${where}:${mark}`;
}

function answers({ method, words, file, fileId }: Sent, request: Request): boolean {
  const { kind, mark, speechMs } = request;
  if (method !== (METHODS[kind] ?? 'sendMessage')) return false;
  if (kind !== 'speech') return kind === 'sticker' || words.includes(translationOf(answerMark(request)));
  if (file === undefined) return fileId === fileIdOf(mark);
  return Math.abs(oggLengthMs(file) - speechMs) <= LENGTH_TOLERANCE_MS;
}

function fileIdOf(mark: number): string {
  return `voice-${mark}`;
}
