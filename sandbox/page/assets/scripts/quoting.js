/** Replies to a part of a message: the part that is selected, and the button that offers to quote it. */
import { element, icon } from './dom.js';

/** Longest quote, UTF-16 code units (Telegram's `quote_length_max`). */
const LONGEST = 1024;

/** What is selected within the text of one message of the log: `{ messageId, text, position, range }`, or nothing. */
function selectedPart(log) {
  const selection = document.getSelection();
  if (selection.isCollapsed || selection.rangeCount === 0) return undefined;
  const range = selection.getRangeAt(0);
  const within = (node) => (node instanceof Element ? node : node.parentElement)?.closest('.message .text');
  const words = within(range.startContainer);
  if (!words || words !== within(range.endContainer) || !log.contains(words)) return undefined;
  const selected = range.toString();
  const text = selected.trim();
  if (text === '' || text.length > LONGEST) return undefined;
  const before = document.createRange();
  before.setStart(words, 0);
  before.setEnd(range.startContainer, range.startOffset);
  // The DOM counts UTF-16 code units, as Telegram does.
  const position = before.toString().length + selected.indexOf(text);
  return { messageId: Number(words.closest('[data-message-id]').dataset.messageId), text, position, range };
}

/** Shows the button under what is selected in `log`; `onQuote(messageId, { text, position })` when it is pressed. */
export function wireQuoting(log, onQuote) {
  const button = element(
    'button',
    {
      type: 'button',
      class: 'quote-button',
      'data-testid': 'quote-selection',
      hidden: true,
      // A press must not take the selection away before it is read.
      onpointerdown: (event) => event.preventDefault(),
      onclick: press,
    },
    icon('quote'),
    'Quote',
  );
  log.parentElement.append(button);

  function press() {
    const part = selectedPart(log);
    document.getSelection().removeAllRanges();
    if (part !== undefined) onQuote(part.messageId, { text: part.text, position: part.position });
  }

  function follow() {
    const part = selectedPart(log);
    button.hidden = part === undefined;
    if (part === undefined) return;
    const frame = log.getBoundingClientRect();
    const place = part.range.getBoundingClientRect();
    const { width, height } = button.getBoundingClientRect();
    const left = Math.min(place.left + place.width / 2 - width / 2 - frame.left, frame.width - width - 8);
    const top = Math.min(place.bottom + 8 - frame.top, frame.height - height - 8);
    button.style.left = `${Math.max(8, left)}px`;
    button.style.top = `${Math.max(8, top)}px`;
  }
  document.addEventListener('selectionchange', follow);
  log.addEventListener('scroll', follow, { passive: true });
}
