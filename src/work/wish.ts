/** What a person wants of a source: to see its text or its translation, or to hear it. */
import { endsRequest, type Failure, mayPass } from '../errors.ts';
import type { SpokenText } from '../interpreter/speech.ts';
import type { Variety } from '../language/variety.ts';
import type { CallKind } from '../paid-calls.ts';
import { isLeftUndone } from '../patience.ts';
import type { BotContext } from '../telegram/context.ts';
import type { Source } from './source.ts';

export interface Wish {
  /** Only reading: in both languages, if both are requested, and not of a text. */
  readonly isReading?: true;
  /** The minimum of paid calls after reading. */
  readonly atLeast: readonly CallKind[];
  unpaid(ctx: BotContext, text: string): Promise<readonly CallKind[]>;
  /** Makes all paid calls; shows nothing yet, since the question about the cost comes first. */
  fulfil(ctx: BotContext, source: Source, text: string): Promise<Result>;
  /** A wish for the result, carried out once that is shown. */
  readonly then?: Wish | undefined;
}

/** The result of a wish. Without translation and speech, the text read is the answer. */
export interface Result {
  /** Why there is nothing more, as a key of `locales/`. */
  readonly notice?: string;
  /** The Tibetan for a text typed in Wylie. */
  readonly tibetan?: string | undefined;
  readonly translation?: string;
  /** Show the original above the translation, also for a person who has not set that. */
  readonly isOriginalShown?: boolean;
  readonly speech?: Speech;
  /** The failure that ended the work early; all results here were finished before. */
  readonly end?: Failure | undefined;
}

/** Whether the rest of work that ended with this failure can be requested later. */
export function isForLater(error: unknown, signal: AbortSignal): error is Failure {
  return !isLeftUndone(signal) && (endsRequest(error) || mayPass(error));
}

export interface Speech {
  readonly note: SpokenText;
  readonly varieties: readonly Variety[];
  readonly isSlow: boolean;
  readonly text: string;
  /** The text was translated first, since the variety is of the other language. */
  readonly isTranslated: boolean;
}

export const toRead: Wish = {
  isReading: true,
  atLeast: [],
  unpaid: async () => [],
  fulfil: async () => ({}),
};
