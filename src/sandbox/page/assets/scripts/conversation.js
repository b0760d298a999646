/** The open chat: its header and its log of messages. */
import { chatStatus } from './chat-status.js';
import { byId, element } from './dom.js';
import { renderMessage } from './message.js';
import { openMessageMenu } from './message-menu.js';
import { chatAvatar, chatName, personName } from './names.js';
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
    state,
    onReply: (message) => composer.reply(message),
    onMenu: (message, anchor) => openMessageMenu(message, anchor, state, composer),
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
    found.classList.add('found');
    found.addEventListener('animationend', () => found.classList.remove('found'), { once: true });
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
    const messages = state.messagesHere();
    log.setAttribute('aria-live', 'off');
    log.replaceChildren();
    for (const message of messages) append(message);
    if (messages.length === 0) log.append(welcome(state, composer));
    end.toEnd();
    requestAnimationFrame(() => requestAnimationFrame(() => log.setAttribute('aria-live', 'polite')));
  }

  function renderStatus() {
    const status = byId('chat-status');
    const action = state.actionHere();
    status.dataset.busy = String(action !== undefined);
    status.replaceChildren(
      ...(action === undefined
        ? textNodes(chatStatus(state))
        : [`${state.bot.first_name} ${actionWords(action)}`, dots()]),
    );
  }

  function renderTitle() {
    const chat = state.chat();
    const name = chatName(chat, state.bot);
    byId('chat-title').replaceChildren(...textNodes(name));
    const avatar = chatAvatar(chat);
    avatar.id = 'chat-avatar';
    byId('chat-avatar').replaceWith(avatar);
    document.title = `${name} · ${personName(state.person())} · Lotsawa sandbox`;
    renderStatus();
  }

  function render() {
    renderTitle();
    renderLog();
  }

  function rerender(message) {
    const old = find(message.message_id);
    if (old === null) return;
    const made = renderMessage(message, context);
    made.dataset.continues = old.dataset.continues;
    keepFocus(old, made);
    end.watch(made);
  }

  state.addEventListener('message', ({ detail: { chatId, message } }) => {
    if (!state.isHere(chatId, message)) return;
    const reading = end.isAtEnd() || state.isMine(message);
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
    if (state.isHere(chatId, message)) rerender(message);
  });
  state.addEventListener('reactions', ({ detail: { chatId, messageId } }) => {
    const message = state.message(messageId, chatId);
    if (message !== undefined && state.isHere(chatId, message)) rerender(message);
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
  state.addEventListener('chats', ({ detail }) => {
    if (detail.chatId !== state.chatId) return;
    renderTitle();
    // What an empty chat offers depends on who is in it.
    if (log.querySelector('.welcome') !== null) renderLog();
  });
  for (const type of ['loaded', 'person', 'chat']) state.addEventListener(type, render);
  jump.addEventListener('click', () => end.toEnd());
  log.addEventListener('keydown', moveBetweenMessages);
}

/** Three dots that move while the bot is at it. */
function dots() {
  return element('span', { class: 'dots', 'aria-hidden': 'true' }, element('i'), element('i'), element('i'));
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
