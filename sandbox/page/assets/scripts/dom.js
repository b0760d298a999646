/** Builds DOM nodes; text always becomes a text node, so nothing a person writes can turn into markup. */

const SVG = 'http://www.w3.org/2000/svg';

/** The element of that id; the page's own HTML promises that it exists. */
export function byId(id) {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`The page has no element #${id}`);
  return found;
}

/**
 * An element with attributes and children. A function as attribute value is an event listener (`onclick`),
 * `true` an attribute without value; `false`, `null` and `undefined` leave the attribute, or the child, out.
 */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === 'function') made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value === true ? '' : String(value));
  }
  made.append(...children.flat().filter((child) => child !== undefined && child !== null && child !== false));
  return made;
}

/** One of the symbols in index.html, hidden from screen readers: its button carries the label. */
export function icon(name) {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('class', 'icon');
  svg.setAttribute('aria-hidden', 'true');
  const use = document.createElementNS(SVG, 'use');
  use.setAttribute('href', `#icon-${name}`);
  svg.append(use);
  return svg;
}
