/** The list over the composer from which a command or an inline result is chosen: the focus stays in the text field. */
import { byId, element } from './dom.js';

/**
 * Shows options for the text field `input`. An option has a `key`, a `label` (nodes), `choose()`, and maybe `complete()` for Tab.
 * Arrow keys move, Enter chooses the marked option, Escape closes; without a mark Enter stays the composer's. `show` may mark one.
 */
export function createSuggestions(input) {
  const list = byId('suggestions');
  let options = [];
  let marked = -1;

  function mark(index) {
    marked = index;
    for (const [at, row] of [...list.children].entries())
      row.setAttribute('aria-selected', String(at === index));
    if (index < 0) input.removeAttribute('aria-activedescendant');
    else {
      input.setAttribute('aria-activedescendant', list.children[index].id);
      list.children[index].scrollIntoView({ block: 'nearest' });
    }
  }

  function hide() {
    options = [];
    list.hidden = true;
    list.replaceChildren();
    mark(-1);
  }

  function show(title, offered, first = -1) {
    if (offered.length === 0) return hide();
    options = offered;
    list.setAttribute('aria-label', title);
    list.replaceChildren(
      ...offered.map((option, at) =>
        element(
          'div',
          {
            id: `suggestion-${at}`,
            class: 'suggestion',
            role: 'option',
            'data-testid': 'suggestion',
            'data-key': option.key,
            // A press must not take the focus out of the text field.
            onpointerdown: (event) => event.preventDefault(),
            onclick: () => option.choose(),
          },
          option.label,
        ),
      ),
    );
    list.hidden = false;
    mark(first);
    byId('composer-announce').textContent =
      `${offered.length} ${title.toLowerCase()}, choose with the arrow keys`;
  }

  /** True when the key was for the list. */
  function handleKey(event) {
    if (list.hidden) return false;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      const from = marked === -1 && step === -1 ? 0 : marked;
      mark((from + step + options.length) % options.length);
    } else if (event.key === 'Escape') hide();
    else if (event.key === 'Enter' && !event.shiftKey && marked >= 0) options[marked].choose();
    else if (event.key === 'Tab' && !event.shiftKey && options[Math.max(0, marked)].complete)
      options[Math.max(0, marked)].complete();
    else return false;
    event.preventDefault();
    return true;
  }

  /** Enter no longer chooses what is shown: the text has changed since. */
  const unmark = () => mark(-1);

  return { show, hide, unmark, handleKey };
}
