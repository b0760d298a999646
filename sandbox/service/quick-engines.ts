/** Engines that only look like work, at once and always alike: for tests in which speed counts and language does not. */
import { createHash } from 'node:crypto';
import {
  BYTES_PER_SAMPLE,
  DIALECTS,
  type Engines,
  type Language,
  type ReadLine,
  SAMPLE_RATE_HZ,
} from './engines.ts';
import { wordsInPicture } from './picture-words.ts';

const MS_PER_CODE_POINT = 60;
const SHORTEST_SPEECH_MS = 200;
const CHUNK_BYTES = 6_400;

const CHINESE_HZ = { xiaoxiao: 440, yunjian: 330 } as const;

/**
 * - recognition: the text written in its pixels (see `picture-words.ts`), after a form feed the one read in Chinese, else one line made from
 *   its digest; a blank line ends a paragraph, and white space before a line is an indent
 * - translation: every Tibetan syllable becomes a Han character and every Han character a Tibetan syllable, the same
 *   each time; digits, Latin words and layout stay, so that a test can tell which text it has before it
 * - speech: a tone of 60 ms for each code point unless told otherwise, at least 200 ms, its pitch told by the variety (yunjian a
 *   fourth below xiaoxiao)
 */
export function createQuickEngines({ msPerCodePoint = MS_PER_CODE_POINT } = {}): Engines {
  return {
    async recognise(image, language) {
      const [inTibetan, inChinese = inTibetan] = (await wordsInPicture(image))?.split('\f') ?? [];
      const text = (language === 'bo' ? inTibetan : inChinese) ?? digestLine(image, language);
      const lines = text.split('\n');
      return {
        lines: lines.map((words, index) => ({ words, location: locationOf(words, index) })),
        paragraphs: paragraphsOf(lines),
      };
    },
    async translate(text, from) {
      return from === 'bo' ? tibetanToHan(text) : hanToTibetan(text);
    },
    async *speak(text, variety, voice) {
      const hz = variety === 'chinese' ? CHINESE_HZ[voice] : DIALECTS[variety].toneHz;
      const ms = Math.max(SHORTEST_SPEECH_MS, [...text].length * msPerCodePoint);
      const audio = tone(ms, hz);
      for (let at = 0; at < audio.length; at += CHUNK_BYTES) yield audio.subarray(at, at + CHUNK_BYTES);
    },
  };
}

/** As if every character filled a square. */
const SQUARE_PX = 30;
const LINE_PX = 50;

function locationOf(line: string, index: number): NonNullable<ReadLine['location']> {
  const indent = line.length - line.trimStart().length;
  const characters = line.trim().length;
  return {
    top: index * LINE_PX,
    left: indent * SQUARE_PX,
    width: characters * SQUARE_PX,
    height: SQUARE_PX,
  };
}

function paragraphsOf(lines: readonly string[]): number[][] {
  const paragraphs: number[][] = [];
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const isFirst = (lines[index - 1] ?? '').trim() === '';
    if (isFirst) paragraphs.push([]);
    paragraphs.at(-1)?.push(index);
  }
  return paragraphs;
}

/** Eight characters of the language, different for every picture. */
function digestLine(image: Buffer, language: Language): string {
  const digest = createHash('sha256').update(image).digest().subarray(0, 8);
  return [...digest].map((byte) => (language === 'bo' ? tibetanSyllable(byte) : hanCharacter(byte))).join('');
}

function tibetanToHan(text: string): string {
  return text
    .replace(/[\u0F40-\u0FBC]+[\u0F0B\u0F0C]?/gu, (syllable) => hanCharacter(sumOf(syllable)))
    .replace(/[\u0F0D-\u0F14]/gu, '。');
}

function hanToTibetan(text: string): string {
  return text
    .replace(/\p{Script=Han}/gu, (character) => tibetanSyllable(sumOf(character)))
    .replace(/[。！？，]/gu, '།');
}

/** The same number for the same letters in the same order. */
function sumOf(text: string): number {
  let sum = 0;
  for (const character of text) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003;
  return sum;
}

/** One of the first 20,000 unified ideographs. */
function hanCharacter(number: number): string {
  return String.fromCodePoint(0x4e00 + (number % 20_000));
}

/**
 * One of 960, with a tsheg: one of 30 consonants, a vowel, and one of 8 that may end a syllable. The vowels are those of Sanskrit words, so
 * that none looks like a misread common syllable.
 */
function tibetanSyllable(number: number): string {
  const consonants = 'ཀཁགངཅཆཇཉཏཐདནཔཕབམཙཚཛཝཞཟའཡརལཤསཧཨ';
  const [vowels, finals] = ['\u0f71\u0f7b\u0f7d\u0f80', 'གངདནབམརལ'];
  const vowel = vowels[Math.floor(number / 30) % 4];
  return `${consonants[number % 30]}${vowel}${finals[Math.floor(number / 120) % 8]}་`;
}

/** PCM, at a quarter of full loudness. */
function tone(ms: number, frequencyHz: number): Buffer {
  const samples = Math.round((ms / 1000) * SAMPLE_RATE_HZ);
  const audio = Buffer.alloc(samples * BYTES_PER_SAMPLE);
  for (let index = 0; index < samples; index += 1) {
    const angle = (2 * Math.PI * frequencyHz * index) / SAMPLE_RATE_HZ;
    audio.writeInt16LE(Math.round(8_192 * Math.sin(angle)), index * BYTES_PER_SAMPLE);
  }
  return audio;
}
