/** The open chat's messages: they are followed to the newest, or counted for a person who reads further up. */
import { followBotLink } from './bot-links.js';
import { byId } from './dom.js';
import { createMessageLog } from './message-log.js';
import { openMessageMenu } from './message-menu.js';
import { wireQuoting } from './quoting.js';
import { followEnd } from './scroll.js';
import { welcome } from './welcome.js';

/** Wires the conversation; `composer` takes replies, edits and drafts; `onOpen` shows the conversation. */
export function wireConversation(state, composer, onOpen) {
  const log = byId('log');
  const jump = byId('jump');
  let missed = 0;
  const labelJump = () => {
    byId('jump-label').textContent = missed > 0 ? `${missed} new` : 'Newest';
  };
  const end = followEnd(log, (atEnd) => {
    if (atEnd) missed = 0;
    jump.hidden = atEnd || log.querySelector('.welcome') !== null;
    labelJump();
  });

  const context = {
    state,
    onReply: (message) => composer.reply(message),
    onMenu: (message, anchor) => openMessageMenu(message, anchor, state, composer),
    onCommand: (text) => composer.sendText(text),
    onDraft: (text) => composer.fill(text),
    onLink: (address) => followBotLink(address, state, onOpen),
  };
  wireQuoting(log, (messageId, part) => composer.reply(state.message(messageId), part));
  const messageLog = createMessageLog(log, context, (made) => end.watch(made));

  function render() {
    const messages = state.messagesHere();
    log.setAttribute('aria-live', 'off');
    log.replaceChildren();
    for (const message of messages) messageLog.append(message);
    if (messages.length === 0) log.append(welcome(state, composer));
    const begin = log.querySelector('.welcome') ?? messageLog.find(state.firstUnread);
    if (begin === null) end.toEnd();
    else end.toStart(begin);
    requestAnimationFrame(() => requestAnimationFrame(() => log.setAttribute('aria-live', 'polite')));
  }

  state.addEventListener('message', ({ detail: { chatId, message } }) => {
    if (!state.isHere(chatId, message)) return;
    const reading = end.isAtEnd() || state.isMine(message);
    log.querySelector('.welcome')?.remove();
    const shown = messageLog.append(message);
    // A message that is taller than the log is read from its beginning.
    if (reading && shown.offsetHeight > log.clientHeight) end.toStart(shown);
    else if (reading) end.toEnd();
    else {
      missed += 1;
      labelJump();
    }
    state.markRead();
  });
  state.addEventListener('edited', ({ detail: { chatId, message } }) => {
    if (state.isHere(chatId, message)) messageLog.rerender(message);
  });
  state.addEventListener('reactions', ({ detail: { chatId, messageId } }) => {
    const message = state.message(messageId, chatId);
    if (message !== undefined && state.isHere(chatId, message)) messageLog.rerender(message);
  });
  state.addEventListener('deleted', ({ detail: { chatId, messageId } }) => {
    if (chatId !== state.chatId) return;
    messageLog.remove(messageId);
    if (log.childElementCount === 0) render();
  });
  state.addEventListener('chats', ({ detail }) => {
    // What an empty chat offers depends on who is in it.
    if (detail.chatId === state.chatId && log.querySelector('.welcome') !== null) render();
  });
  for (const type of ['loaded', 'person', 'chat']) state.addEventListener(type, render);
  jump.addEventListener('click', () => end.toEnd());
}
