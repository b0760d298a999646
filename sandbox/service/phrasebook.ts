/** Everyday sentences and single words, Tibetan (Lhasa speech) beside Chinese. Where one side comes twice, its first pair counts. */
import book from './phrasebook.json' with { type: 'json' };

type Pair = readonly [bo: string, zh: string];

/** Tibetan writes no shad after ག: those sentences end bare. */
export const PHRASES = pairs(book.sentences);

/** For glossing sentences that the phrasebook does not know. Tibetan without a closing tsheg; a word may have several syllables. */
export const WORDS = pairs(book.words);

/** The pairs of all sections, in order. */
function pairs(sections: Readonly<Record<string, string[][]>>): readonly Pair[] {
  return Object.values(sections).flatMap((section) => section.map(([bo = '', zh = '']): Pair => [bo, zh]));
}
