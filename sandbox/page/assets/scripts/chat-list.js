/** The acting person's chats, each with its last message, what the bot does there, and what is unread. */
import { byId, element, icon } from './dom.js';
import { chatAvatar, chatName, senderName } from './names.js';
import { isMember } from './places.js';
import { textNodes } from './script-runs.js';
import { actionWords, inShort, serviceWords, timeOf } from './wording.js';

function preview(state, chat) {
  const action = state.action(chat.id);
  if (action !== undefined)
    return element('span', { class: 'preview busy' }, `${state.bot.first_name} ${actionWords(action)}…`);
  const last = state.messages(chat.id).at(-1);
  if (last === undefined) return element('span', { class: 'preview' }, 'No messages yet');
  const mine = state.isMine(last);
  const named = serviceWords(last) === undefined && (mine || chat.type !== 'private');
  return element(
    'span',
    { class: 'preview' },
    named &&
      element('span', { class: 'preview-sender' }, textNodes(mine ? 'You: ' : `${senderName(last)}: `)),
    textNodes(inShort(last)),
  );
}

/** When the newest message came. */
function lastTime(state, chat) {
  const last = state.messages(chat.id).at(-1);
  return last === undefined ? undefined : element('span', { class: 'chat-time' }, timeOf(last));
}

function item(state, chat, onOpen) {
  const isIn = isMember(chat, state.personId);
  const unread = isIn ? state.unread(state.personId, chat.id) : 0;
  return element(
    'li',
    {},
    element(
      'button',
      {
        type: 'button',
        class: 'chat-item',
        'data-testid': 'chat-item',
        'data-chat-id': chat.id,
        'data-chat-type': chat.type,
        'aria-current': chat.id === state.chatId ? 'true' : undefined,
        onclick: () => onOpen(chat.id),
      },
      chatAvatar(chat),
      element(
        'span',
        { class: 'chat-name' },
        chat.is_forum && icon('topic'),
        textNodes(chatName(chat, state.bot)),
      ),
      lastTime(state, chat),
      preview(state, chat),
      unread > 0 &&
        element(
          'span',
          { class: 'unread', 'data-testid': 'unread' },
          String(unread),
          element('span', { class: 'visually-hidden' }, ' unread'),
        ),
    ),
  );
}

/** Wires the list; `onOpen` gets the id of a chat that was chosen. */
export function wireChatList(state, onOpen) {
  const list = byId('chat-list');
  const render = () => {
    const focused = list.contains(document.activeElement) ? document.activeElement.dataset.chatId : undefined;
    const others = state.groupsWithout(state.personId);
    list.replaceChildren(
      ...state.chatsOf(state.personId).map((chat) => item(state, chat, onOpen)),
      ...(others.length > 0 ? [element('li', { class: 'list-label' }, 'Groups you are not in')] : []),
      ...others.map((chat) => item(state, chat, onOpen)),
    );
    if (focused !== undefined) list.querySelector(`[data-chat-id="${focused}"]`)?.focus();
  };
  for (const type of ['loaded', 'person', 'chat', 'chats', 'unread', 'edited', 'action'])
    state.addEventListener(type, render);
}
