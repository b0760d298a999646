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
  let quote;

  function set(nextMode, nextMessage, nextQuote) {
    mode = nextMode;
    message = nextMessage;
    quote = nextQuote;
    bar.hidden = message === undefined;
    if (message === undefined) return;
    bar.replaceChildren(
      icon(quote ? 'quote' : mode === 'edit' ? 'edit' : 'reply'),
      element(
        'div',
        { class: 'context-words', 'data-testid': 'composer-context' },
        element(
          'span',
          { class: 'context-title' },
          mode === 'edit'
            ? 'Edit message'
            : [quote ? 'Quote ' : 'Reply to ', ...textNodes(senderName(message))],
        ),
        element('span', { class: 'context-text' }, textNodes(quote?.text ?? inShort(message))),
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
    /** `part` is what is quoted of it: `{ text, position }`, or nothing. */
    reply: (replied, part) => set('reply', replied, part),
    edit: (edited) => set('edit', edited),
    clear: () => set(),
    /** The fields of a message that say what it replies to. */
    reference: () =>
      mode === 'reply'
        ? { replyTo: message?.message_id, quote: quote?.text, quotePosition: quote?.position }
        : {},
    edited: () => (mode === 'edit' ? message : undefined),
  };
}
