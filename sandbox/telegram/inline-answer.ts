/** What the bot answers to an inline query: the results that a person may send. */
import type { InlineQueryResultsButton, InlineResult } from './objects.ts';

export interface InlineAnswer {
  results: InlineResult[];
  /** Seconds. */
  cacheTime: number;
  isPersonal: boolean;
  button?: InlineQueryResultsButton;
}
