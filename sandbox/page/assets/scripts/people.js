/** The choice of who is acting: one radio button a person. */
import { byId, element } from './dom.js';
import { languageName, personAvatar, personName } from './names.js';
import { textNodes } from './script-runs.js';

function choice(state, person) {
  return element(
    'label',
    { class: 'person', 'data-testid': 'person', 'data-person-id': person.id },
    element('input', {
      type: 'radio',
      name: 'person',
      value: person.id,
      checked: person.id === state.personId,
      onchange: () => state.become(person.id),
    }),
    personAvatar(person),
    element('span', { class: 'person-name' }, textNodes(personName(person))),
    element('span', { class: 'person-language' }, textNodes(languageName(person))),
  );
}

/** Wires the choice. */
export function wirePeople(state) {
  const row = byId('people');
  state.addEventListener('loaded', () =>
    row.replaceChildren(...state.people.map((person) => choice(state, person))),
  );
  state.addEventListener('person', () => {
    for (const radio of row.querySelectorAll('input')) radio.checked = Number(radio.value) === state.personId;
  });
}
