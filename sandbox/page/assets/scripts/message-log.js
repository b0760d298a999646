/** The log of messages: an element for each, the parts of an album in one grid. */
import { element } from './dom.js';
import { renderMessage } from './message.js';

/** Keeps `log`; `context` is what `renderMessage` takes, without `onJump`. `onShown` is told of every element that comes into it. */
export function createMessageLog(log, context, onShown) {
  const find = (messageId) => log.querySelector(`[data-message-id="${messageId}"]`);

  /** Scrolls to a message, and shows which it is. */
  function jumpTo(messageId) {
    const found = find(messageId);
    if (found === null) return;
    found.scrollIntoView({ block: 'center' });
    found.focus({ preventScroll: true });
    found.classList.add('found');
    found.addEventListener('animationend', () => found.classList.remove('found'), { once: true });
  }

  const render = (message) => renderMessage(message, { ...context, onJump: jumpTo });

  log.addEventListener('keydown', moveBetweenMessages);

  return {
    find,

    /** Puts a message at the end, and gives its element. */
    append(message) {
      const made = render(message);
      const last = log.lastElementChild;
      const album = message.media_group_id;
      if (album === undefined) {
        made.dataset.continues = String(
          last?.dataset.senderId !== undefined && last.dataset.senderId === made.dataset.senderId,
        );
        log.append(made);
      } else if (last?.dataset.album === album) last.append(made);
      else log.append(albumOf(album, made));
      onShown(made);
      return made;
    },

    /** Shows a message as it now is, if it is in the log. */
    rerender(message) {
      const old = find(message.message_id);
      if (old === null) return;
      const made = render(message);
      made.dataset.continues = old.dataset.continues;
      keepFocus(old, made);
      onShown(made);
    },

    remove(messageId) {
      const gone = find(messageId);
      const album = gone?.closest('.album');
      gone?.remove();
      if (album?.childElementCount === 0) album.remove();
    },
  };
}

/** The grid of an album, with its first part. */
function albumOf(id, part) {
  const isMine = part.classList.contains('mine');
  return element('div', { class: isMine ? 'album mine' : 'album', 'data-album': id }, part);
}

/** Replaces a message's element; the button or player in it that had the focus has it again. */
function keepFocus(old, made) {
  const focusable = 'button, a, audio';
  const at = [...old.querySelectorAll(focusable)].indexOf(document.activeElement);
  const itself = document.activeElement === old;
  old.replaceWith(made);
  if (itself) made.focus({ preventScroll: true });
  else if (at >= 0) (made.querySelectorAll(focusable)[at] ?? made).focus({ preventScroll: true });
}

/** Arrow up and down go from message to message; Tab then reaches what can be done with the focused one. */
function moveBetweenMessages(event) {
  if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
  if (event.target.closest('audio') !== null) return;
  const messages = [...event.currentTarget.querySelectorAll('[data-message-id]')];
  const at = messages.indexOf(event.target.closest('[data-message-id]'));
  const next = at === -1 ? messages.at(-1) : messages[at + (event.key === 'ArrowUp' ? -1 : 1)];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}
