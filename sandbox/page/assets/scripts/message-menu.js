/** What can be done with a message: reactions, copy, forward, edit, delete. */
import { act } from './api.js';
import { pickChat } from './chat-picker.js';
import { copy } from './clipboard.js';
import { byId, element, icon } from './dom.js';
import { attempt } from './notices.js';
import { kindWord } from './wording.js';

/** Some of Telegram's, in its order. */
const QUICK_REACTIONS = ['👍', '❤', '🔥', '🙏', '👏', '🤔'];

/** Opens the menu beside `anchor`; `composer` takes replies and edits. */
export function openMessageMenu(message, anchor, state, composer) {
  const menu = byId('message-menu');
  const { personId } = state;
  const which = { personId, chatId: message.chat.id, messageId: message.message_id };
  const then = (action) => () => {
    menu.hidePopover();
    action();
  };
  const entry = (name, label, testId, action) =>
    element(
      'button',
      { type: 'button', role: 'menuitem', class: 'menu-item', 'data-testid': testId, onclick: then(action) },
      icon(name),
      label,
    );

  const text = message.text ?? message.caption;
  const mine = state.isMine(message);
  const isEditable = mine && message.via_bot === undefined && message.forward_origin === undefined;
  const hasWords =
    message.text !== undefined || ['Photo', 'Video', 'Animation', 'File'].includes(kindWord(message));
  const mayDelete = mine || message.chat.type === 'private' || state.isAdmin();
  const mayWrite = state.member() !== undefined;
  menu.replaceChildren(
    mayWrite &&
      element(
        'div',
        { class: 'quick-reactions', role: 'group', 'aria-label': 'React' },
        QUICK_REACTIONS.map((emoji) =>
          element(
            'button',
            {
              type: 'button',
              class: 'quick-reaction emoji',
              'data-testid': 'react',
              onclick: then(() => attempt(() => act('react', { ...which, emoji }))),
            },
            emoji,
          ),
        ),
      ),
    mayWrite && entry('reply', 'Reply', 'menu-reply', () => composer.reply(message)),
    text !== undefined && entry('copy', 'Copy text', 'copy-text', () => copy(text)),
    entry('forward', 'Forward', 'forward', () =>
      pickChat('Forward to', state.chatsOf(state.personId), state, (toChatId) =>
        forward(state, which, toChatId),
      ),
    ),
    isEditable &&
      hasWords &&
      entry('edit', message.text === undefined ? 'Edit caption' : 'Edit', 'edit', () =>
        composer.edit(message),
      ),
    mayDelete && entry('delete', 'Delete', 'delete', () => attempt(() => act('remove', which))),
  );
  for (const child of [...menu.childNodes]) if (child.nodeType === Node.TEXT_NODE) child.remove();
  menu.showPopover();
  place(menu, anchor.getBoundingClientRect());
  menu.querySelector('[role="menuitem"]')?.focus();
}

async function forward(state, which, toChatId) {
  const sent = await attempt(() => act('forward', { ...which, toChatId }));
  if (sent !== undefined) state.open(toChatId);
}

/** Under the anchor where there is room, else over it; never over the edge of the screen. */
function place(menu, anchor) {
  const margin = 8;
  const { width, height } = menu.getBoundingClientRect();
  const below = anchor.bottom + margin;
  const top = below + height > innerHeight ? Math.max(margin, anchor.top - height - margin) : below;
  menu.style.top = `${Math.min(top, Math.max(margin, innerHeight - height - margin))}px`;
  menu.style.left = `${Math.max(margin, Math.min(anchor.left, innerWidth - width - margin))}px`;
}
