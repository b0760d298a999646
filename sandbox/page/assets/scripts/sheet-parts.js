/** The parts that sheets are made of. */
import { element } from './dom.js';

/** A part of a sheet under a heading. */
export function infoSection(title, ...content) {
  return element('section', { class: 'info-section' }, element('h3', {}, title), ...content);
}

/** A switch with its name and a line on what it does; `set` is told how it now stands. */
export function switchRow(name, label, hint, { isOn, set }) {
  return element(
    'label',
    { class: 'switch' },
    element('span', { class: 'switch-words' }, label, element('span', { class: 'hint' }, hint)),
    element('input', {
      type: 'checkbox',
      role: 'switch',
      checked: isOn,
      'data-testid': name,
      'data-key': name,
      onchange: ({ currentTarget }) => set(currentTarget.checked),
    }),
  );
}
