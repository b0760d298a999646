/** Syllables of Tibetan grammar. They stand by themselves between two tshegs. */

const syllables = (written: string): ReadonlySet<string> => new Set(written.split(' '));

/** Case particles and conjunctions. They end a phrase, and rarely stand inside a word. */
export const END_PHRASE = syllables(
  'གི ཀྱི གྱི ཡི གིས ཀྱིས གྱིས ཡིས དུ ཏུ རུ སུ ནས ལས དང ནི ཀྱང ཡང ཏེ སྟེ པའི བའི པོའི བོའི པས བས པར བར རྣམས ཚོ',
);

/** Further syllables that belong to the word before them, but may also stand inside a word. */
export const SUFFIXES = syllables('ལ ན ར འི འིས འང འོ པ བ པོ བོ');

/** Articles, verbs to be and to have, and what reports speech: they follow a word or name. */
export const END_CLAUSE = syllables('ཞིག ཅིག ཤིག ཞེས ཅེས ཟེར ཡིན མིན རེད ཡོད མེད འདུག');
