/** Marks: numbers in questions and answers, which match each answer to its question. */

/** The form of a mark in a text. Not a tag: those are not spoken. */
export function marked(mark: number): string {
  return `(${mark})`;
}

/** The mark in a text; undefined if it has none. */
export function markIn(text: string): number | undefined {
  const found = /\((\d+)\)/.exec(text)?.[1];
  return found === undefined ? undefined : Number(found);
}

/** A Chinese text to translate. */
export function chineseOf(mark: number): string {
  return `请把第${marked(mark)}句话翻译成藏文：明天上午我们在学校门口见面，然后一起去寺院。`;
}

/** Its translation by the service. The mark comes first: a voice note's caption shows only the beginning of a text. */
export function translationOf(mark: number): string {
  return `${marked(mark)} སང་ཉིན་སྔ་དྲོ་ང་ཚོ་སློབ་གྲྭའི་སྒོ་ཁར་ཐུག་རྗེས་མཉམ་དུ་དགོན་པར་འགྲོ།`;
}
