/** The bar over the text field that says what is being replied to, or which message is being edited. */
import { byId, element, icon } from './dom.js';
import { senderName } from './names.js';
import { textNodes } from './script-runs.js';
import { inShort } from './wording.js';

/** `onClear` is called when the person closes the bar. */
export function composerContext(onClear) {
  const bar = byId('composer-context');
  let mode;
  let message;

  function set(nextMode, nextMessage) {
    mode = nextMode;
    message = nextMessage;
    bar.hidden = message === undefined;
    if (message === undefined) return;
    bar.replaceChildren(
      icon(mode === 'edit' ? 'edit' : 'reply'),
      element(
        'div',
        { class: 'context-words', 'data-testid': 'composer-context' },
        element(
          'span',
          { class: 'context-title' },
          mode === 'edit' ? 'Edit message' : ['Reply to ', ...textNodes(senderName(message))],
        ),
        element('span', { class: 'context-text' }, textNodes(inShort(message))),
      ),
      element(
        'button',
        {
          type: 'button',
          class: 'icon-button',
          'aria-label': mode === 'edit' ? 'Stop editing' : 'Do not reply',
          onclick: close,
        },
        icon('close'),
      ),
    );
  }

  function close() {
    set();
    onClear();
  }

  return {
    reply: (replied) => set('reply', replied),
    edit: (edited) => set('edit', edited),
    clear: () => set(),
    replyTo: () => (mode === 'reply' ? message?.message_id : undefined),
    edited: () => (mode === 'edit' ? message : undefined),
  };
}
