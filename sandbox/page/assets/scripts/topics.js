/** The topics of a forum, as tabs over the conversation. */
import { act } from './api.js';
import { byId, element, icon } from './dom.js';
import { attempt } from './notices.js';
import { textNodes } from './script-runs.js';
import { closeSheet, openSheet } from './sheet.js';

function tab(state, topic) {
  const id = topic?.id;
  const isClosed = topic === undefined ? state.chat().isGeneralClosed : topic.isClosed;
  const isIn = state.member() !== undefined;
  const unread = isIn ? state.unread(state.personId, state.chatId, id ?? null) : 0;
  return element(
    'button',
    {
      type: 'button',
      role: 'tab',
      class: 'topic',
      'aria-selected': String(id === state.topicId),
      tabindex: id === state.topicId ? 0 : -1,
      'data-testid': 'topic',
      'data-topic-id': id ?? 'general',
      onclick: () => (id === undefined ? state.openGeneral() : state.open(state.chatId, id)),
    },
    isClosed && icon('lock'),
    isClosed && element('span', { class: 'visually-hidden' }, 'Closed: '),
    element('span', {}, textNodes(topic?.name ?? 'General')),
    unread > 0 && element('span', { class: 'unread' }, String(unread)),
  );
}

/** Asks for the name of a new topic and opens it. */
function askForTopic(state) {
  const name = element('input', {
    type: 'text',
    class: 'field',
    maxlength: 128,
    required: true,
    'aria-label': 'Name of the topic',
    placeholder: 'Name of the topic',
    'data-testid': 'topic-name',
  });
  const create = async (event) => {
    event.preventDefault();
    const { personId, chatId } = state;
    const made = await attempt(() => act('newTopic', { personId, chatId, name: name.value }));
    if (made === undefined) return;
    closeSheet();
    state.open(chatId, made.topicId);
  };
  openSheet('New topic', () => [
    element(
      'form',
      { class: 'sheet-form', onsubmit: create },
      name,
      element('button', { type: 'submit', class: 'primary-button', 'data-testid': 'create-topic' }, 'Create'),
    ),
  ]);
  name.focus();
}

/** Arrow keys go from tab to tab. */
function moveBetweenTabs(event) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (step === undefined) return;
  const tabs = [...event.currentTarget.querySelectorAll('[role="tab"]')];
  const next = tabs[(tabs.indexOf(document.activeElement) + step + tabs.length) % tabs.length];
  event.preventDefault();
  next.click();
  byId('topics').querySelector('[aria-selected="true"]')?.focus();
}

/** Wires the tabs; they are hidden where there are no topics. */
export function wireTopics(state) {
  const bar = byId('topics');
  const render = () => {
    const chat = state.chat();
    bar.hidden = chat.is_forum !== true;
    if (bar.hidden) return;
    const scrolled = bar.scrollLeft;
    bar.replaceChildren(
      element(
        'div',
        { class: 'topic-tabs', role: 'tablist', 'aria-label': 'Topics', onkeydown: moveBetweenTabs },
        [undefined, ...chat.topics].map((topic) => tab(state, topic)),
      ),
      element(
        'button',
        {
          type: 'button',
          class: 'icon-button',
          'aria-label': 'New topic',
          'data-testid': 'new-topic',
          hidden: state.member() === undefined,
          onclick: () => askForTopic(state),
        },
        icon('plus'),
      ),
    );
    bar.scrollLeft = scrolled;
    bar.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  };
  for (const type of ['loaded', 'person', 'chat', 'chats', 'unread']) state.addEventListener(type, render);
}
