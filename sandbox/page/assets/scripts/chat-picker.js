/** A choice among chats, for what goes from one into another. */
import { element } from './dom.js';
import { chatAvatar, chatName } from './names.js';
import { textNodes } from './script-runs.js';
import { closeSheet, openSheet } from './sheet.js';

/** Asks which of the chats; `onPick` gets its id. */
export function pickChat(title, chats, state, onPick) {
  const choice = (chat) =>
    element(
      'button',
      {
        type: 'button',
        class: 'row',
        'data-testid': 'pick-chat',
        'data-chat-id': chat.id,
        onclick: () => {
          closeSheet();
          onPick(chat.id);
        },
      },
      chatAvatar(chat),
      element('span', { class: 'row-name' }, textNodes(chatName(chat, state.bot))),
    );
  openSheet(title, () => [element('div', { class: 'sheet-list' }, chats.map(choice))]);
}
