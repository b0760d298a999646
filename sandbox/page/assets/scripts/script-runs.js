/** Cuts a text into runs of one script, so that each gets its language, its font and its line height; emoji are such runs, too. */
import { element } from './dom.js';

// As in Telegram, pictographs are emoji also without the variation selector.
// A mark, digit or space after Tibetan or Han letters belongs to their run; U+25CC carries vowel signs in isolation.
const RUN =
  /[\u0F00-\u0FFF\u25CC][\u0F00-\u0FFF\u25CC\u200B-\u200D ]*|\p{Script=Han}[\p{Script=Han}\u3000-\u303F\uFF00-\uFFEF]*|(?:\p{RGI_Emoji}|[\p{Extended_Pictographic}&&[\u2600-\u27BF\u{1F000}-\u{1FAFF}]])+/gv;
const TIBETAN = /[\u0F00-\u0FFF]/;
const HAN = /\p{Script=Han}/u;

/** One run, marked as what it is. */
function marked(run) {
  if (TIBETAN.test(run)) return element('span', { lang: 'bo' }, run);
  return element('span', HAN.test(run) ? { lang: 'zh-Hans' } : { class: 'emoji' }, run);
}

/** The nodes for a text: plain text nodes, and spans around Tibetan (`lang="bo"`), Chinese (`zh-Hans`) and emoji (a class). */
export function textNodes(text) {
  const nodes = [];
  let end = 0;
  for (const run of text.matchAll(RUN)) {
    if (run.index > end) nodes.push(document.createTextNode(text.slice(end, run.index)));
    nodes.push(marked(run[0]));
    end = run.index + run[0].length;
  }
  if (end < text.length) nodes.push(document.createTextNode(text.slice(end)));
  return nodes;
}

/** True when a text holds Tibetan letters, which stack and need taller lines. */
export function hasTibetan(text) {
  return TIBETAN.test(text);
}
