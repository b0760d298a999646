/** Wraps texts at a width as programs do, without a picture: like pages whose lines have no known places. */
import type { Dice, Text } from './texts.ts';

/** A line of a wrapped text. */
export interface WrappedLine {
  readonly text: string;
  /** Its break is meant, not made by the width. */
  readonly isEnd: boolean;
  /** The first unit of the next line would have had room on it, so the width shows that the break is meant. */
  readonly hasRoom: boolean;
}

/** How a text is wrapped. */
export interface Wrapping {
  /** Of a line, in columns. */
  readonly width: number;
  /** A Chinese character is two columns wide, and the marks of a stack are none; else each code point is one. */
  readonly isTerminal: boolean;
  /** The tsheg at the end of a line is left out. */
  readonly isBare: boolean;
  /** A Chinese line may begin with the mark that ends its sentence. */
  readonly isCrude: boolean;
}

/** A width from 20 to 80 columns, and one of the ways in which programs count them. */
export function anyWrapping(dice: Dice): Wrapping {
  return {
    width: dice.between(20, 80),
    isTerminal: dice.of([false, true]),
    isBare: dice.of([false, true]),
    isCrude: dice.of([false, false, true]),
  };
}

/** The units that are not broken: a syllable with its tsheg or shads (which crude programs may split), a Chinese character, a word. */
const UNIT = /[^\s་\p{Script=Han}\p{P}]+་?[།༎༏༑༔]*(?: ?[།༎༏༑༔]+(?=\s|$))* ?|\p{Script=Han}|\s|./gu;
const MUST_NOT_BEGIN = /^[།༎，。、；：！？”’」』）》…—]/u;
const MUST_NOT_END = /[“‘「『（《]$/u;

/** The lines of the text, without blank ones, which print nothing. */
export function wrapped(text: Text, { width, isTerminal, isBare, isCrude }: Wrapping): WrappedLine[] {
  const columns = (line: string): number => {
    const printed = isTerminal ? line.replace(/\p{M}/gu, '') : line;
    const wide = isTerminal
      ? (printed.match(/[\p{Script=Han}\u3000-\u303f\uff00-\uff60“”‘’…—]/gu) ?? [])
      : [];
    return [...printed.trimEnd()].length + wide.length;
  };
  const units = text.units.filter((unit) => unit !== '');
  return units.flatMap((unit, unitIndex) => {
    const lines = [''];
    for (const part of unit.match(UNIT) ?? []) {
      const line = lines.at(-1) ?? '';
      const isBound = !isCrude && (MUST_NOT_BEGIN.test(part) || MUST_NOT_END.test(line));
      if (line === '' || isBound || columns(`${line}${part}`) <= width)
        lines[lines.length - 1] = `${line}${part}`;
      else if (part.trim() !== '') lines.push(part);
    }
    const [first = ''] = units[unitIndex + 1]?.match(UNIT) ?? [];
    const between = text.language === 'bo' ? ' ' : '';
    return lines.map((line, index) => ({
      text: line.trimEnd().replace(/་$/u, isBare ? '' : '་'),
      isEnd: index === lines.length - 1,
      hasRoom: index === lines.length - 1 && columns(`${line}${between}${first}`) <= width,
    }));
  });
}
