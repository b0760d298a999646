/** Cuts a text into runs of one script, so that each gets its language, its font and its line height. */
import { element } from './dom.js';

// A mark, digit or space after Tibetan or Han letters belongs to their run; U+25CC carries vowel signs in isolation.
const RUN =
  /[\u0F00-\u0FFF\u25CC][\u0F00-\u0FFF\u25CC\u200B-\u200D ]*|\p{Script=Han}[\p{Script=Han}\u3000-\u303F\uFF00-\uFFEF]*/gu;
const TIBETAN = /[\u0F00-\u0FFF]/;

/** The nodes for a text: plain text nodes, and spans with `lang` around Tibetan (`bo`) and Chinese (`zh-Hans`). */
export function textNodes(text) {
  const nodes = [];
  let end = 0;
  for (const run of text.matchAll(RUN)) {
    if (run.index > end) nodes.push(document.createTextNode(text.slice(end, run.index)));
    nodes.push(element('span', { lang: TIBETAN.test(run[0]) ? 'bo' : 'zh-Hans' }, run[0]));
    end = run.index + run[0].length;
  }
  if (end < text.length) nodes.push(document.createTextNode(text.slice(end)));
  return nodes;
}

/** True when a text holds Tibetan letters, which stack and need taller lines. */
export function hasTibetan(text) {
  return TIBETAN.test(text);
}
