/** The open chat: its header and its log of messages. */

import { api } from './api.js';
import { byId, element } from './dom.js';
import { renderMessage } from './message.js';
import { chatAvatar, chatName, personName } from './names.js';
import { attempt } from './notices.js';
import { textNodes } from './script-runs.js';
import { followEnd } from './scroll.js';
import { welcome } from './welcome.js';
import { actionWords } from './wording.js';

/** Wires the conversation; `composer` takes replies, edits and drafts. */
export function wireConversation(state, composer) {
  const log = byId('log');
  const jump = byId('jump');
  let missed = 0;
  const end = followEnd(log, (atEnd) => {
    if (atEnd) missed = 0;
    jump.hidden = atEnd;
    byId('jump-label').textContent = missed > 0 ? `${missed} new` : 'Newest';
  });

  const context = {
    personId: () => state.personId,
    get botId() {
      return state.bot.id;
    },
    get botName() {
      return state.bot.username;
    },
    onReply: (message) => composer.reply(message),
    onEdit: (message) => composer.edit(message),
    onDelete: (message) =>
      attempt(() => api.remove(message.chat.id, message.message_id, { personId: state.personId })),
    onJump: showMessage,
    onCommand: (text) => composer.sendText(text),
    onDraft: (text) => composer.fill(text),
  };

  function find(messageId) {
    return log.querySelector(`[data-message-id="${messageId}"]`);
  }

  function showMessage(messageId) {
    const found = find(messageId);
    if (found === null) return;
    found.scrollIntoView({ block: 'center' });
    found.focus({ preventScroll: true });
  }

  /** Puts a message at the end; the parts of an album come into one grid. */
  function append(message) {
    const made = renderMessage(message, context);
    const last = log.lastElementChild;
    const album = message.media_group_id;
    if (album !== undefined) {
      if (last?.dataset.album === album) last.append(made);
      else
        log.append(
          element(
            'div',
            { class: made.classList.contains('mine') ? 'album mine' : 'album', 'data-album': album },
            made,
          ),
        );
    } else {
      made.dataset.continues = String(
        last?.dataset.senderId !== undefined && last.dataset.senderId === made.dataset.senderId,
      );
      log.append(made);
    }
    end.watch(made);
  }

  function renderLog() {
    const messages = state.messages();
    log.setAttribute('aria-live', 'off');
    log.replaceChildren();
    for (const message of messages) append(message);
    if (messages.length === 0) log.append(welcome(state, composer));
    end.toEnd();
    requestAnimationFrame(() => requestAnimationFrame(() => log.setAttribute('aria-live', 'polite')));
  }

  function renderStatus() {
    const status = byId('chat-status');
    const action = state.action();
    const chat = state.chat();
    status.dataset.busy = String(action !== undefined);
    if (action !== undefined) status.textContent = `${state.bot.first_name} ${actionWords(action)}…`;
    else if (chat.type === 'private') status.textContent = `bot · @${state.bot.username}`;
    else
      status.replaceChildren(
        ...textNodes(
          chat.memberIds
            .map((id) => state.person(id)?.first_name)
            .filter(Boolean)
            .join(', '),
        ),
      );
  }

  function render() {
    const chat = state.chat();
    byId('chat-title').replaceChildren(...textNodes(chatName(chat, state.bot)));
    const avatar = chatAvatar(chat);
    avatar.id = 'chat-avatar';
    byId('chat-avatar').replaceWith(avatar);
    document.title = `${chatName(chat, state.bot)} · ${personName(state.person())} · Lotsawa sandbox`;
    renderStatus();
    renderLog();
  }

  state.addEventListener('message', ({ detail: { chatId, message } }) => {
    if (chatId !== state.chatId) return;
    const reading = end.isAtEnd() || message.from?.id === state.personId;
    log.querySelector('.welcome')?.remove();
    append(message);
    if (reading) end.toEnd();
    else {
      missed += 1;
      byId('jump-label').textContent = `${missed} new`;
    }
    state.markRead();
  });
  state.addEventListener('edited', ({ detail: { chatId, message } }) => {
    const old = chatId === state.chatId ? find(message.message_id) : null;
    if (old === null) return;
    const made = renderMessage(message, context);
    made.dataset.continues = old.dataset.continues;
    keepFocus(old, made);
    end.watch(made);
  });
  state.addEventListener('deleted', ({ detail: { chatId, messageId } }) => {
    if (chatId !== state.chatId) return;
    const gone = find(messageId);
    const album = gone?.closest('.album');
    gone?.remove();
    if (album?.childElementCount === 0) album.remove();
    if (log.childElementCount === 0) renderLog();
  });
  state.addEventListener('action', ({ detail }) => {
    if (detail.chatId === state.chatId) renderStatus();
  });
  for (const type of ['loaded', 'person', 'chat']) state.addEventListener(type, render);
  jump.addEventListener('click', () => end.toEnd());
  log.addEventListener('keydown', moveBetweenMessages);
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
