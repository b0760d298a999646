/** What a person wishes to have done with a source: to see its text, its translation, or to hear it. */
import { endsRequest, type Failure, mayPass } from '../errors.ts';
import type { SpokenText } from '../interpreter/speech.ts';
import type { Variety } from '../language/variety.ts';
import type { CallKind } from '../paid-calls.ts';
import { isLeftUndone } from '../patience.ts';
import type { BotContext } from '../telegram/context.ts';
import type { Activity } from '../telegram/outbox/progress.ts';
import type { Source } from './source.ts';

export interface Wish {
  /** What the chat shows meanwhile. */
  readonly action: Parameters<Activity['change']>[0];
  /** Nothing but reading: in both languages, if both are asked for, and not of a text (`Source.needsNoReading`). */
  readonly isReading?: true;
  /** The paid calls that follow at least where something is yet to be read. */
  readonly atLeast: readonly CallKind[];
  /** The paid calls that this text takes. */
  unpaid(ctx: BotContext, text: string): Promise<readonly CallKind[]>;
  /** Makes all paid calls; shows nothing yet, since the question about the cost comes first. */
  fulfil(ctx: BotContext, source: Source, text: string, activity: Activity): Promise<Result>;
  /** Done with the result, once that is shown. */
  readonly then?: Wish | undefined;
}

/** What has become of a wish. Without translation and speech, what was read is the answer. */
export interface Result {
  /** Why there is nothing more, as a key of `locales/`. */
  readonly notice?: string;
  /** What was typed in Wylie, in Tibetan script. */
  readonly tibetan?: string | undefined;
  readonly translation?: string;
  /** The original stands above the translation, also for a person who has not set that. */
  readonly isOriginalShown?: boolean;
  readonly speech?: Speech;
  /** What ended it: all that is there was finished before. */
  readonly end?: End | undefined;
}

interface End {
  readonly failure: Failure;
  /** The paid calls that are left. */
  readonly calls: number;
}

/** Whether the rest of what ended with this failure can be asked for later. */
export function isForLater(error: unknown, signal: AbortSignal): error is Failure {
  return !isLeftUndone(signal) && (endsRequest(error) || mayPass(error));
}

export interface Speech {
  readonly note: SpokenText;
  readonly varieties: readonly Variety[];
  /** At three quarters of the speed. */
  readonly isSlow: boolean;
  /** What is spoken. */
  readonly text: string;
  /** It was translated first, since the variety is of the other language. */
  readonly isTranslated: boolean;
}

/** To see the text of a source, and no more. */
export const toRead: Wish = {
  action: 'typing',
  isReading: true,
  atLeast: [],
  unpaid: async () => [],
  fulfil: async () => ({}),
};
