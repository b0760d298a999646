/** The one dialog for everything that is asked beside the conversation: on a phone it fills the screen's lower part. */
import { byId } from './dom.js';
import { textNodes } from './script-runs.js';

let render;

/** Opens it; `content()` gives its nodes, and is asked again by `refreshSheet`. */
export function openSheet(title, content) {
  render = () => {
    const focused = document.activeElement?.dataset.key;
    byId('sheet-body').replaceChildren(...content());
    if (focused !== undefined) byId('sheet-body').querySelector(`[data-key="${focused}"]`)?.focus();
  };
  byId('sheet-title').replaceChildren(...textNodes(title));
  render();
  if (!byId('sheet').open) byId('sheet').showModal();
  byId('sheet-body').scrollTop = 0;
}

/** Closes it, whatever it shows. */
export function closeSheet() {
  byId('sheet').close();
}

/** Shows the content as it now is, with the focus where it was; what is being written in it stays. */
function refreshSheet() {
  const isWriting = document.activeElement?.matches('#sheet-body :is(input[type="text"], textarea)');
  if (byId('sheet').open && !isWriting) render?.();
}

/** Closes the sheet on a click beside it; the native dialog does the rest. */
export function wireSheet(state) {
  byId('sheet').addEventListener('click', (event) => {
    if (event.target === byId('sheet')) closeSheet();
  });
  for (const type of ['chats', 'chat', 'loaded']) state.addEventListener(type, refreshSheet);
}
