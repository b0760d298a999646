/** Making a group of one's own. */
import { act } from './api.js';
import { element } from './dom.js';
import { attempt } from './notices.js';
import { closeSheet, openSheet } from './sheet.js';

const KINDS = [
  ['group', 'Small group'],
  ['supergroup', 'Supergroup'],
  ['forum', 'Forum with topics'],
  ['channel', 'Channel'],
];

/** Asks for its name and kind, makes it and opens it. */
export function askForGroup(state, onOpen) {
  const title = element('input', {
    type: 'text',
    class: 'field',
    maxlength: 128,
    required: true,
    'aria-label': 'Name of the group',
    placeholder: 'Name of the group',
    'data-testid': 'group-title',
  });
  const kind = element(
    'select',
    { class: 'field', 'aria-label': 'Kind of group', 'data-testid': 'group-kind' },
    KINDS.map(([value, label]) => element('option', { value }, label)),
  );
  const create = async (event) => {
    event.preventDefault();
    const { personId } = state;
    const made = await attempt(() => act('newGroup', { personId, title: title.value, kind: kind.value }));
    if (made === undefined) return;
    // That it is there comes as an event, maybe after the answer.
    while (state.chat(made.id) === undefined) await new Promise(requestAnimationFrame);
    closeSheet();
    onOpen(made.id);
  };
  openSheet('New group', () => [
    element(
      'form',
      { class: 'sheet-form', onsubmit: create },
      title,
      kind,
      element('button', { type: 'submit', class: 'primary-button', 'data-testid': 'create-group' }, 'Create'),
    ),
  ]);
  title.focus();
}
