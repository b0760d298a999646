/** What people ask for, each time with a mark that has to come back in the answer. */
import type { Random } from './random.ts';

/** `group`: a text in a group that mentions the bot; `redrawn`: a picture that the bot has to draw anew; `press`, `edit`: of the last text. */
export type Kind =
  | 'text'
  | 'group'
  | 'inline'
  | 'press'
  | 'edit'
  | 'sticker'
  | 'photo'
  | 'big-photo'
  | 'redrawn'
  | 'speech';

export interface Request {
  /** The key of its content; a repeated request has the same. */
  readonly mark: number;
  readonly kind: Kind;
  readonly person: number;
  /** The chat, or the inline query, in which the answer is to come. */
  readonly where: string;
  /** Exact length of the speech, in ms; 0 for all else. */
  readonly speechMs: number;
  readonly isRepeat: boolean;
}

/** Shares of the kinds other than texts, and how long speech is, in ms. */
export type Mix = Readonly<Partial<Record<Kind, number>>> & { readonly speechMs: number };

export const USUAL_MIX = { photo: 0.15, speech: 0.15, speechMs: 10_000 } as const;
/** Everything that the bot does all day. */
export const WHOLE_MIX: Mix = {
  group: 0.1,
  inline: 0.06,
  press: 0.05,
  edit: 0.05,
  photo: 0.03,
  'big-photo': 0.001,
  redrawn: 0.01,
  speech: 0.02,
  sticker: 0.02,
  speechMs: 2000,
};

/** Voice notes differ in length, so that one in the place of another shows. */
const LENGTHS = 11;
const LENGTH_STEP_MS = 100;
/** Telegram allows a group 20 messages a minute. */
export const GROUPS = 200;
export const NO_MARK = 0;

/** The mark in the answer: a sticker has none, and a picture loses its own when it is drawn anew. */
export function answerMark({ kind, mark }: Request): number {
  return kind === 'sticker' || kind === 'redrawn' ? NO_MARK : mark;
}

/** The length of the speech with this mark: `aboutMs`, half a second more or less. */
export function speechLengthMs(mark: number, aboutMs: number): number {
  return aboutMs + ((mark % LENGTHS) - Math.floor(LENGTHS / 2)) * LENGTH_STEP_MS;
}

/** A kind at random, by its share; the rest are texts. */
export function drawKind(random: Random, { speechMs, ...shares }: Mix): Kind {
  let drawn = random();
  for (const [kind, share] of Object.entries(shares) as [Kind, number][]) {
    if (drawn < share) return kind;
    drawn -= share;
  }
  return 'text';
}
