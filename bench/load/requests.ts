/** The requests of people, each with a mark that has to come back in its answer. */
import { chineseOf, marked } from '../marks.ts';
import type { Random } from './random.ts';

export type Kind = 'text' | 'photo' | 'speech' | 'big-photo';

export interface Request {
  /** The key of its content; a repeated request has the same. */
  readonly mark: number;
  readonly kind: Kind;
  readonly person: number;
  /** Exact length of the speech, in ms; 0 for all else. */
  readonly speechMs: number;
  readonly isRepeat: boolean;
}

/** Shares of the kinds, and how long speech is, in ms. */
export interface Mix {
  readonly photo: number;
  readonly speech: number;
  readonly speechMs: number;
}

export const USUAL_MIX: Mix = { photo: 0.15, speech: 0.15, speechMs: 10_000 };

/** Voice notes differ in length, so that one in the place of another shows. */
const LENGTHS = 11;
const LENGTH_STEP_MS = 100;

/** The length of the speech with this mark: `aboutMs`, half a second more or less. */
export function speechLengthMs(mark: number, aboutMs: number): number {
  return aboutMs + ((mark % LENGTHS) - Math.floor(LENGTHS / 2)) * LENGTH_STEP_MS;
}

/** A kind at random, by its share; the rest are texts. */
export function drawKind(random: Random, { photo, speech }: Mix): Kind {
  const drawn = random();
  if (drawn < photo) return 'photo';
  return drawn < photo + speech ? 'speech' : 'text';
}

/** The text of a request to translate (Chinese) or to speak (Tibetan). */
export function wordsOf({ kind, mark }: Pick<Request, 'kind' | 'mark'>): string {
  if (kind === 'speech') return `/speak amdo བཀྲ་ཤིས་བདེ་ལེགས། ང་ཚོ་སང་ཉིན་སློབ་གྲྭར་འགྲོ་གི་ཡིན། ${marked(mark)}`;
  return chineseOf(mark);
}
