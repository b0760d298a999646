/** An inline query as a handler is given it: what a person typed after the bot's name, in any chat. */
import { z } from 'zod';
import type { Asker } from '../../store/money/scopes.ts';
import type { Collaborators } from '../collaborators.ts';
import { brings } from '../intake/brings.ts';
import { wellFormedText } from '../intake/well-formed-text.ts';
import type { Arguments } from '../locale.ts';

/** What inline mode needs of what all updates share. */
export type InlineCollaborators = Pick<
  Collaborators,
  'api' | 'interpreter' | 'words' | 'log' | 'now' | 'alert'
>;

export interface InlineQuery {
  readonly bot: InlineCollaborators;
  /** What was typed, at most 256 characters (Bot API, InlineQuery), without outer white space. */
  readonly text: string;
  /** Whoever types: a chat has no part in it, so no group pays. */
  readonly asker: Asker;
  /** Aborts when the process stops for good. */
  readonly signal: AbortSignal;
  /** A sentence of `locales/` in the person's language. */
  words(id: string, args?: Arguments): string;
  /** Waits for a pause in typing; false: the person typed on, and nobody waits for an answer any more. */
  pause(): Promise<boolean>;
}

const inlineUpdate = z.object({
  inline_query: z.object({
    id: z.string(),
    from: z.object({ id: z.number(), language_code: z.string().optional() }),
    query: z.string().transform(wellFormedText),
  }),
});

export type ReceivedInlineQuery = z.infer<typeof inlineUpdate>['inline_query'];

/** The inline query that an update brings, if it brings one. */
export function inlineQueryIn(body: unknown): ReceivedInlineQuery | undefined {
  return brings(body, 'inline_query') ? inlineUpdate.safeParse(body).data?.inline_query : undefined;
}
