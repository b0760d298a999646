/** What is behind a chat's name: who is in it, and what the acting person can change. */
import { act } from './api.js';
import { memberCount } from './chat-status.js';
import { element, icon } from './dom.js';
import { linkExamples } from './link-field.js';
import { membersSection } from './members.js';
import { chatAvatar, chatName } from './names.js';
import { attempt } from './notices.js';
import { textNodes } from './script-runs.js';
import { openSheet } from './sheet.js';
import { infoSection, switchRow } from './sheet-parts.js';

function heading(state) {
  const chat = state.chat();
  const what = chat.type === 'private' ? `@${state.bot.username}` : memberCount(chat);
  const kind = chat.is_forum ? 'forum' : chat.type === 'private' ? 'bot' : chat.type;
  return element(
    'div',
    { class: 'info-heading' },
    chatAvatar(chat),
    element('p', { class: 'info-name' }, textNodes(chatName(chat, state.bot))),
    element('p', { class: 'hint' }, `${kind} · ${what}`),
  );
}

function privateInfo(state, onOpen) {
  const { personId } = state;
  const chat = state.chat();
  const set = (change) => attempt(() => act('setPrivacy', { personId, ...change }));
  return [
    infoSection(
      'Your privacy',
      switchRow('forbids-voice', 'Refuse voice messages', 'As Telegram Premium lets people do.', {
        isOn: chat.forbidsVoice,
        set: (forbidsVoice) => set({ forbidsVoice }),
      }),
      switchRow('blocks-bot', 'Block the bot', 'Telegram refuses what it sends to you.', {
        isOn: chat.blocksBot,
        set: (blocksBot) => set({ blocksBot }),
      }),
    ),
    infoSection('Links to the bot', ...linkExamples(state, onOpen)),
  ];
}

/** General has no id of its own, and stays. */
const GENERAL = 'general';

function topicRow(state, topic) {
  const { personId, chatId } = state;
  const button = (label, testId, action) =>
    element(
      'button',
      { type: 'button', class: 'text-button', 'data-testid': testId, onclick: () => attempt(action) },
      label,
    );
  return element(
    'li',
    { class: 'row', 'data-testid': 'topic-row' },
    icon(topic.isClosed ? 'lock' : 'topic'),
    element('span', { class: 'row-name' }, textNodes(topic.name)),
    state.isAdmin() && [
      button(topic.isClosed ? 'Reopen' : 'Close', 'close-topic', () =>
        act('setTopic', { personId, chatId, topicId: topic.id, isClosed: !topic.isClosed }),
      ),
      topic.id !== GENERAL &&
        button('Delete', 'delete-topic', () => act('removeTopic', { personId, chatId, topicId: topic.id })),
    ],
  );
}

function groupInfo(state) {
  const { personId } = state;
  const chat = state.chat();
  const me = state.member();
  const isAdmin = state.isAdmin();
  const leave = () => act('setMember', { personId, chatId: chat.id, userId: personId, status: 'left' });
  return [
    membersSection(state),
    isAdmin &&
      chat.type === 'supergroup' &&
      infoSection(
        'You are an admin',
        switchRow('anonymous', 'Remain anonymous', 'Your messages come from the group itself.', {
          isOn: me.isAnonymous,
          set: (isAnonymous) =>
            attempt(() => act('setAnonymity', { personId, chatId: chat.id, isAnonymous })),
        }),
      ),
    chat.is_forum &&
      infoSection(
        'Topics',
        element(
          'ul',
          {},
          [{ id: GENERAL, name: 'General', isClosed: chat.isGeneralClosed }, ...chat.topics].map((topic) =>
            topicRow(state, topic),
          ),
        ),
      ),
    me !== undefined &&
      element(
        'section',
        { class: 'info-section info-actions' },
        isAdmin &&
          chat.type === 'group' &&
          element(
            'button',
            {
              type: 'button',
              class: 'text-button',
              'data-testid': 'upgrade',
              onclick: () => attempt(() => act('upgrade', { personId, chatId: chat.id })),
            },
            'Upgrade to a supergroup',
          ),
        me.status !== 'creator' &&
          element(
            'button',
            {
              type: 'button',
              class: 'text-button danger',
              'data-testid': 'leave',
              onclick: () => attempt(leave),
            },
            'Leave the group',
          ),
      ),
  ];
}

/** Opens it for the open chat; `onOpen` shows the conversation after a link was followed. */
export function openChatInfo(state, onOpen) {
  const content = () => {
    const parts = state.chat().type === 'private' ? privateInfo(state, onOpen) : groupInfo(state);
    return [heading(state), ...parts.filter(Boolean)];
  };
  openSheet(state.chat().type === 'private' ? 'Chat info' : 'Group info', content);
}
