/** The bot's three abilities, as everything above asks for them: read a picture, translate a text, speak a text. */
import type { Language } from '../language/script.ts';
import type { Speaker } from '../language/variety.ts';
import type { ImageFitter } from '../media/picture/image.ts';
import type { VoiceEncoder } from '../media/voice/voice-note.ts';
import type { CallKind } from '../paid-calls.ts';
import { createSemaphore } from '../semaphore.ts';
import type { Results } from '../store/kept/results.ts';
import type { Asker } from '../store/money/scopes.ts';
import { checkLimits } from './account.ts';
import type { Deps } from './deps.ts';
import { createPayOnce, type PayOnceParts } from './pay-once.ts';
import type { Provider } from './provider.ts';
import { isRead, read } from './reading.ts';
import type { Asked, Picture } from './request.ts';
import { createServicePause, type ServicePauseOptions } from './service-pause.ts';
import { type SpokenText, speak } from './speech.ts';
import { isTranslated, translate } from './translation.ts';

/** Hundreds of photos at once, but only six files of the largest size. */
const PICTURE_MEMORY_BYTES = 128 * 1024 * 1024;

/** All methods throw `Failure`s of every kind that `errors.ts` names; what was paid for once is not paid for again. */
export interface Interpreter {
  /** The recognised lines, joined with line breaks; empty when nothing was found. */
  read(picture: Picture, language: Language, asked: Asked): Promise<string>;
  /** Throws `limit-…` where the limits do not allow these paid calls, too. */
  check(asker: Asker, calls: readonly CallKind[]): Promise<void>;
  /** Whether `read` would give what is kept already, without a paid call. */
  isRead(picture: Picture, language: Language): Promise<boolean>;
  /** The text in the other language, of any length, layout kept. */
  translate(text: string, to: Language, asked: Asked): Promise<string>;
  /** Whether `translate` would give what is kept already, without a paid call. */
  isTranslated(text: string, to: Language): Promise<boolean>;
  /** One voice note of the whole text, of any length. */
  speak(text: string, speaker: Speaker, asked: Asked): Promise<SpokenText>;
}

/** What the abilities and the rules around them are made of. */
export interface InterpreterOptions extends ServicePauseOptions, Omit<PayOnceParts, 'whileNotPaused'> {
  readonly provider: Provider;
  readonly images: ImageFitter;
  readonly voiceEncoder: VoiceEncoder;
  readonly results: Results;
}

/** The abilities, with nothing under way. */
export function createInterpreter(options: InterpreterOptions): Interpreter {
  const whileNotPaused = createServicePause(options);
  const payOnce = createPayOnce({ ...options, whileNotPaused });
  const pictureMemory = createSemaphore(PICTURE_MEMORY_BYTES);
  const { provider, images, voiceEncoder, ledger, results, log, onReuse } = options;
  const deps: Deps = {
    provider,
    images,
    voiceEncoder,
    ledger,
    results,
    payOnce,
    pictureMemory,
    log,
    onReuse,
  };
  return {
    read: (picture, language, asked) => read(deps, picture, language, asked),
    check: (asker, calls) => checkLimits(deps, asker, calls),
    isRead: (picture, language) => isRead(deps, picture, language),
    translate: (text, to, asked) => translate(deps, text, to, asked),
    isTranslated: (text, to) => isTranslated(deps, text, to),
    speak: (text, speaker, asked) => speak(deps, text, speaker, asked),
  };
}
