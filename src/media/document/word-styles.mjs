/** What the styles and lists of a Word document say of its paragraphs: hidden text, fonts, and the numbers and marks that Word puts before them. */
import { parse } from './word-parts.mjs';

/** Whether a property that may be switched off is on (ECMA-376, ST_OnOff). */
export function isOn(value) {
  return !['0', 'false', 'off'].includes(value);
}

/** A style may be based on another, and that on a third; rings end. */
const MAX_STYLES = 20;

/** Looks up a property (`isHidden`, `font`, `list`, `level`) of a style by the style's id, without an id of the usual one. */
export function stylesIn(xml) {
  const styles = new Map();
  let style = {};
  let usual;
  const open = (name, attribute) => {
    const value = attribute('val');
    if (name === 'w:docDefaults' || name === 'w:style') {
      const id = attribute('styleId');
      style = {};
      styles.set(id, style);
      if (attribute('type') === 'paragraph' && attribute('default') !== undefined) usual = id;
    } else if (name === 'w:basedOn') style.base = value;
    else if (name === 'w:vanish') style.isHidden = isOn(value);
    else if (name === 'w:rFonts') style.font = attribute('ascii');
    else if (name === 'w:numId') style.list = value;
    else if (name === 'w:ilvl') style.level = value;
  };
  if (xml !== undefined) parse(xml, { open });
  return (id, property) => {
    let found = styles.get(id ?? usual);
    for (let count = 0; found !== undefined && count < MAX_STYLES; count += 1) {
      if (found[property] !== undefined) return found[property];
      found = styles.get(found.base);
    }
    return undefined;
  };
}

const ONES = ['', '一', '二', '三', '四', '五', '六', '七', '八', '九'];
const ROMAN = {
  m: 1000,
  cm: 900,
  d: 500,
  cd: 400,
  c: 100,
  xc: 90,
  l: 50,
  xl: 40,
  x: 10,
  ix: 9,
  v: 5,
  iv: 4,
  i: 1,
};
/** Marks of a symbol font are private characters. */
const PRIVATE = /\p{Co}/u;

function roman(number) {
  let rest = number;
  let text = '';
  for (const [sign, value] of Object.entries(ROMAN)) for (; rest >= value; rest -= value) text += sign;
  return text;
}

function letter(number) {
  return String.fromCharCode(97 + ((number - 1) % 26)).repeat(Math.ceil(number / 26));
}

function chinese(number) {
  const [tens, ones] = [Math.floor(number / 10), number % 10];
  if (tens > 9) return `${number}`;
  return `${tens > 1 ? ONES[tens] : ''}${tens > 0 ? '十' : ''}${ONES[ones]}`;
}

/** A number in a format of ECMA-376, ST_NumberFormat; as a decimal in all others. */
function numberIn(format, number) {
  if (format === 'none') return '';
  if (/Roman$/.test(format)) return format === 'upperRoman' ? roman(number).toUpperCase() : roman(number);
  if (/Letter$/.test(format)) return format === 'upperLetter' ? letter(number).toUpperCase() : letter(number);
  if (/EnclosedCircle/.test(format) && number < 21) return String.fromCodePoint(0x245f + number);
  return /Counting|ideographDigital/.test(format) ? chinese(number) : `${number}`;
}

/** ECMA-376, `ilvl`. */
const MAX_LEVELS = 9;
/** A document may ask for any number. */
const MAX_NUMBER = 9999;

/** Gives what Word puts before the next paragraph of a list at a level, such as `1.` or `•`; empty if nothing. */
export function listsIn(xml) {
  /** The levels of each kind of list. */
  const kinds = new Map();
  const lists = new Map();
  let levels = [];
  let level = {};
  let list = { starts: [] };
  let depth = 0;
  const open = (name, attribute) => {
    const value = attribute('val');
    if (name === 'w:abstractNum') {
      levels = [];
      kinds.set(attribute('abstractNumId'), levels);
    } else if (name === 'w:lvl' || name === 'w:lvlOverride') {
      depth = Number(attribute('ilvl'));
      level = { start: 1, format: '', label: '' };
      if (name === 'w:lvl' && depth < MAX_LEVELS) levels[depth] ??= level;
    } else if (name === 'w:start') level.start = Number(value);
    else if (name === 'w:numFmt') level.format = value;
    else if (name === 'w:lvlText') level.label = value;
    else if (name === 'w:num') {
      list = { kind: undefined, starts: [] };
      lists.set(attribute('numId'), list);
    } else if (name === 'w:abstractNumId') list.kind = value;
    else if (name === 'w:startOverride' && depth < MAX_LEVELS) list.starts[depth] = Number(value);
  };
  if (xml !== undefined) parse(xml, { open });
  /** Lists of one kind count on together, unless one says where it begins. */
  const counts = new Map();
  return (id, at) => {
    const { kind, starts } = lists.get(id) ?? {};
    const known = kinds.get(kind);
    const own = known?.[at];
    if (!own?.label) return '';
    if (own.format === 'bullet') return PRIVATE.test(own.label) ? '•' : own.label;
    const before = counts.get(kind) ?? [];
    const numbers = [...before.slice(0, at), starts[at] ?? (before[at] ?? own.start - 1) + 1];
    delete starts[at];
    counts.set(kind, numbers);
    return own.label.replaceAll(/%([1-9])/g, (_, digit) => {
      const { start = 1, format = '' } = known[digit - 1] ?? {};
      return numberIn(format, Math.max(0, Math.min(numbers[digit - 1] ?? start, MAX_NUMBER)));
    });
  };
}
