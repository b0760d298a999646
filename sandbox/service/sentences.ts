/** Cuts a text into pieces that are spoken one by one, so that the first plays before the last is made. */

/** Code points; about 15 s of speech. */
const MAX_PIECE_LENGTH = 80;

const SENTENCE = /[^།༎༏༑༔。！？!?；;\n]+(?:[།༎༏༑༔。！？!?；;\n]+\s*)?|[།༎༏༑༔。！？!?；;\n]+\s*/gu;
const BREATH = /(?<=[\s་，、,])/u;

/** Sentences with their marks; a long one is cut at a comma, space or tsheg, where it has none anywhere. Joined they are the text. */
export function speechPieces(text: string): readonly string[] {
  return (text.match(SENTENCE) ?? []).flatMap(cutLong);
}

function cutLong(sentence: string): readonly string[] {
  const pieces: string[] = [];
  let piece: string[] = [];
  for (const breath of sentence.split(BREATH)) {
    for (const part of chunksOf([...breath])) {
      if (piece.length + part.length > MAX_PIECE_LENGTH) {
        pieces.push(piece.join(''));
        piece = [];
      }
      piece.push(...part);
    }
  }
  return [...pieces, piece.join('')].filter((each) => each !== '');
}

function chunksOf(characters: readonly string[]): readonly (readonly string[])[] {
  const count = Math.ceil(characters.length / MAX_PIECE_LENGTH);
  return Array.from({ length: count }, (_, index) =>
    characters.slice(index * MAX_PIECE_LENGTH, (index + 1) * MAX_PIECE_LENGTH),
  );
}
