/** The bot's three abilities, as everything above asks for them: read a picture, translate a text, speak a text. */
import type { Language } from '../language/script.ts';
import type { Variety } from '../language/variety.ts';
import type { Voice } from '../language/voice.ts';
import type { Log } from '../log.ts';
import type { ImageFitter } from '../media/image.ts';
import type { VoiceEncoder } from '../media/voice-note.ts';
import type { Service } from '../service/client.ts';
import type { Claims } from '../store/claims.ts';
import type { LateWrites } from '../store/late-writes.ts';
import type { CallKind, Ledger } from '../store/ledger.ts';
import type { Pauses } from '../store/pauses.ts';
import type { Results } from '../store/results.ts';
import type { Asker } from '../store/spending.ts';
import { createMemoryBudget, type MemoryBudget } from './memory-budget.ts';
import { createPayOnce, type PayOnce } from './pay-once.ts';
import { isRead, read } from './reading.ts';
import { createServicePause, type OnAlert } from './service-pause.ts';
import { type SpokenText, speak } from './speech.ts';
import { isTranslated, translate } from './translation.ts';

/** Hundreds of photos at once, but only six files of the largest size. */
const PICTURE_MEMORY_BYTES = 128 * 1024 * 1024;

/** What goes with every request. */
export interface Asked {
  readonly asker: Asker;
  readonly signal: AbortSignal;
  /**
   * Told how many of the paid calls that the work takes are done: before the first, and after each. What is kept needs none; of a
   * speech that was cut off, the pieces that are kept count as done.
   */
  readonly onProgress?: (done: number, total: number) => void;
  /**
   * Paid calls that follow this work, without which it would be in vain: it is not begun, and not paid for, where the limits do not
   * allow them, too.
   */
  readonly callsAfter?: number;
}

/** A picture that can be had when it is needed. */
export interface Picture {
  /** Telegram's `file_unique_id`: the same for the same file, whoever sends it. */
  readonly id: string;
  /** How large it is, as far as Telegram tells; in bytes. */
  readonly bytes: number | undefined;
  load(signal: AbortSignal): Promise<Uint8Array>;
}

/** All methods throw `Failure`s of every kind that `errors.ts` names; what was paid for once is not paid for again. */
export interface Interpreter {
  /** The recognised lines, joined with line breaks; empty when nothing was found. */
  read(picture: Picture, language: Language, asked: Asked): Promise<string>;
  /** Whether `read` would give what is kept already, without a paid call. */
  isRead(picture: Picture, language: Language): Promise<boolean>;
  /** The text in the other language, of any length, layout kept. */
  translate(text: string, to: Language, asked: Asked): Promise<string>;
  /** Whether `translate` would give what is kept already, without a paid call. */
  isTranslated(text: string, to: Language): Promise<boolean>;
  /** One voice note of the whole text, of any length. `voice` matters for Chinese alone. */
  speak(text: string, variety: Variety, voice: Voice, asked: Asked): Promise<SpokenText>;
}

export interface InterpreterOptions {
  readonly service: Service;
  readonly images: ImageFitter;
  readonly voices: VoiceEncoder;
  readonly ledger: Ledger;
  /** So that no two processes pay for the same. */
  readonly claims: Claims;
  readonly lateWrites: LateWrites;
  readonly results: Results;
  readonly pauses: Pauses;
  /** A short hash that changes with the service's credentials. */
  readonly credentials: string;
  readonly log: Log;
  /** Told what whoever runs the bot has to hear of. */
  readonly onAlert: OnAlert;
  /** Told of every result that was used again instead of paid for. */
  readonly onReuse?: (kind: CallKind) => void;
}

/** What the three abilities work with. */
export interface Tools extends Omit<InterpreterOptions, 'claims' | 'lateWrites' | 'pauses' | 'onAlert'> {
  readonly payOnce: PayOnce;
  /** For pictures from their download to the end of their recognition. */
  readonly pictureMemory: MemoryBudget;
}

export function createInterpreter(options: InterpreterOptions): Interpreter {
  const whileNotPaused = createServicePause(options);
  const payOnce = createPayOnce({ ...options, whileNotPaused });
  const tools: Tools = { ...options, payOnce, pictureMemory: createMemoryBudget(PICTURE_MEMORY_BYTES) };
  return {
    read: (picture, language, asked) => read(tools, picture, language, asked),
    isRead: (picture, language) => isRead(tools, picture, language),
    translate: (text, to, asked) => translate(tools, text, to, asked),
    isTranslated: (text, to) => isTranslated(tools, text, to),
    speak: (text, variety, voice, asked) => speak(tools, text, variety, voice, asked),
  };
}
