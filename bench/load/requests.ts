/** What people ask for, each with a mark that has to come back in its answer. */
import type { Random } from './random.ts';

export type Kind = 'text' | 'photo' | 'speech' | 'big-photo';

export interface Request {
  /** Unique to what is asked for: a request that repeats another has the same. */
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

export function drawKind(random: Random, { photo, speech }: Mix): Kind {
  const drawn = random();
  if (drawn < photo) return 'photo';
  return drawn < photo + speech ? 'speech' : 'text';
}

/** What is written for a request to translate (Chinese) or to speak (Tibetan). */
export function wordsOf({ kind, mark }: Pick<Request, 'kind' | 'mark'>): string {
  if (kind === 'speech') return `/speak amdo བཀྲ་ཤིས་བདེ་ལེགས། ང་ཚོ་སང་ཉིན་སློབ་གྲྭར་འགྲོ་གི་ཡིན། ${marked(mark)}`;
  return `请把第${marked(mark)}句话翻译成藏文：明天上午我们在学校门口见面，然后一起去寺院。`;
}

/** What the service makes of it. */
export function translationOf(mark: number): string {
  return `སང་ཉིན་སྔ་དྲོ་ང་ཚོ་སློབ་གྲྭའི་སྒོ་ཁར་ཐུག་རྗེས་མཉམ་དུ་དགོན་པར་འགྲོ། ${marked(mark)}`;
}

export function marked(mark: number): string {
  return `#${mark}#`;
}

/** The mark in a text; undefined where it has none. */
export function markIn(text: string): number | undefined {
  const found = /#(\d+)#/.exec(text)?.[1];
  return found === undefined ? undefined : Number(found);
}
