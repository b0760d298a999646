/** The open chat's header: its name and picture, who is in it, or what the bot does there just now. */
import { chatStatus } from './chat-status.js';
import { byId, element } from './dom.js';
import { chatAvatar, chatName, personName } from './names.js';
import { textNodes } from './script-runs.js';
import { actionWords } from './wording.js';

/** Wires the header, and the title of the browser's tab. */
export function wireChatHeader(state) {
  function renderStatus() {
    const status = byId('chat-status');
    status.dataset.lost = String(!state.isConnected);
    if (!state.isConnected) return status.replaceChildren('connection lost');
    const action = state.actionHere();
    status.dataset.busy = String(action !== undefined);
    status.replaceChildren(
      ...(action === undefined
        ? textNodes(chatStatus(state))
        : [`${state.bot.first_name} ${actionWords(action)}`, dots()]),
    );
  }

  function render() {
    const chat = state.chat();
    const name = chatName(chat, state.bot);
    byId('chat-title').replaceChildren(...textNodes(name));
    const avatar = chatAvatar(chat);
    avatar.id = 'chat-avatar';
    byId('chat-avatar').replaceWith(avatar);
    document.title = `${name} · ${personName(state.person())} · Lotsawa sandbox`;
    renderStatus();
  }

  for (const type of ['loaded', 'person', 'chat']) state.addEventListener(type, render);
  state.addEventListener('connection', renderStatus);
  state.addEventListener('chats', ({ detail }) => {
    if (detail.chatId === state.chatId) render();
  });
  state.addEventListener('action', ({ detail }) => {
    if (detail.chatId === state.chatId) renderStatus();
  });
}

/** Three dots that move while the bot is at it. */
function dots() {
  return element('span', { class: 'dots', 'aria-hidden': 'true' }, element('i'), element('i'), element('i'));
}
