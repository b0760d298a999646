/** Turns a text with Telegram's entities (offsets in UTF-16, as JavaScript's own) into DOM nodes. */
import { element } from './dom.js';
import { textNodes } from './script-runs.js';

const SAFE_PROTOCOLS = new Set(['http:', 'https:', 'mailto:', 'tel:', 'tg:']);

const TAGS = {
  bold: 'strong',
  italic: 'em',
  underline: 'u',
  strikethrough: 's',
  code: 'code',
  blockquote: 'blockquote',
};

const QUOTES = new Set(['blockquote', 'expandable_blockquote']);

function link(href, children) {
  const url = URL.parse(href) ?? URL.parse(`https://${href}`);
  if (url === null || !SAFE_PROTOCOLS.has(url.protocol)) return element('span', {}, children);
  return element('a', { href: url.href, target: '_blank', rel: 'noopener noreferrer' }, children);
}

/** No button element: a line may break only where the text lets it, and a button is a box of its own. */
function commandLink(text, children, onCommand) {
  const pressed = () => onCommand(text);
  const onkeydown = (event) => {
    if (event.key === 'Enter') pressed();
  };
  return element(
    'a',
    { role: 'button', tabindex: 0, class: 'command-link', onclick: pressed, onkeydown },
    children,
  );
}

/** A long quote shows its beginning until it is pressed, and again after that. */
function foldingQuote(children) {
  const toggle = ({ currentTarget }) => currentTarget.classList.toggle('folded');
  return element('blockquote', { class: 'folding folded', onclick: toggle }, children);
}

/** The reader's own time of day, as Telegram's apps show it. */
function localTime(unixTime) {
  const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' };
  return new Date(unixTime * 1000).toLocaleTimeString([], time);
}

function wrap(entity, text, children, onCommand) {
  if (entity.type === 'expandable_blockquote') return foldingQuote(children);
  const tag = TAGS[entity.type];
  if (tag !== undefined) return element(tag, {}, children);
  switch (entity.type) {
    case 'pre':
      return element('pre', {}, element('code', { 'data-language': entity.language }, children));
    case 'spoiler':
      return element('span', { class: 'spoiler', tabindex: 0 }, children);
    case 'text_link':
      return link(entity.url, children);
    case 'url':
      return link(text, children);
    case 'email':
      return link(`mailto:${text}`, children);
    case 'bot_command':
      return commandLink(text, children, onCommand);
    case 'date_time':
      return element('span', {}, /t/i.test(entity.date_time_format) ? localTime(entity.unix_time) : children);
    case 'mention':
    case 'text_mention':
    case 'hashtag':
    case 'cashtag':
      return element('span', { class: 'mention' }, children);
    default:
      return element('span', {}, children);
  }
}

function render(text, from, to, entities, onCommand) {
  const nodes = [];
  let at = from;
  let rest = entities;
  while (rest.length > 0) {
    const [first, ...others] = rest;
    const start = Math.max(first.offset, at);
    const end = Math.min(first.offset + first.length, to);
    const inside = others.filter((other) => other.offset < end);
    rest = others.filter((other) => other.offset >= end);
    if (end <= start) continue;
    nodes.push(...textNodes(text.slice(at, start)));
    nodes.push(wrap(first, text.slice(start, end), render(text, start, end, inside, onCommand), onCommand));
    at = end;
    // A quote is a block, which ends its line by itself.
    if (QUOTES.has(first.type) && end < to && text[end] === '\n') {
      nodes.push(element('span', { class: 'quote-end' }, '\n'));
      at += 1;
    }
  }
  nodes.push(...textNodes(text.slice(at, to)));
  return nodes;
}

/** The nodes for `text`; `onCommand` is called with a `/command` in it that was pressed. */
export function richText(text, entities = [], onCommand = () => {}) {
  const outermostFirst = entities.toSorted((a, b) => a.offset - b.offset || b.length - a.length);
  return render(text, 0, text.length, outermostFirst, onCommand);
}
