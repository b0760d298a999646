/** What the bot answers to an inline query, and the messages that people send from it. */
import type { InlineResult } from './objects.ts';

export interface InlineAnswer {
  results: InlineResult[];
  /** Seconds. */
  cacheTime: number;
  isPersonal: boolean;
  nextOffset: string;
  button?: Record<string, unknown>;
}
