/** What an empty chat offers: the start, sample photos, and sentences to try. */
import { act } from './api.js';
import { element } from './dom.js';
import { chatAvatar } from './names.js';
import { attempt } from './notices.js';
import { isMember } from './places.js';
import { sampleButton } from './sample-button.js';
import { textNodes } from './script-runs.js';

const SENTENCES = ['བཀྲ་ཤིས་བདེ་ལེགས།', '你好', '/help'];

/** A group that the bot is not in: a member adds it with one press. */
function withoutBot(state, chat) {
  const add = () =>
    attempt(() =>
      act('setMember', { personId: state.personId, chatId: chat.id, userId: state.bot.id, status: 'member' }),
    );
  return element(
    'section',
    { class: 'welcome', 'aria-label': 'Ways to begin' },
    chatAvatar(chat),
    element('h3', {}, 'A group without the bot'),
    element('p', {}, 'Add it and see how it greets. Without it, inline mode works here, too:'),
    element('p', {}, element('code', {}, `@${state.bot.username} 你好`)),
    isMember(chat, state.personId) &&
      element(
        'button',
        { type: 'button', class: 'primary-button', 'data-testid': 'add-bot', onclick: add },
        `Add ${state.bot.first_name}`,
      ),
  );
}

/** A chat where the person cannot write, and why. */
function forReaders(chat, words) {
  return element(
    'section',
    { class: 'welcome' },
    chatAvatar(chat),
    element('h3', {}, textNodes(chat.title)),
    element('p', {}, words),
  );
}

/** The welcome for the open chat, where nothing has been said yet. */
export function welcome(state, composer) {
  const chat = state.chat();
  const inGroup = chat.type !== 'private';
  const isThere = isMember(chat, state.bot.id);
  if (chat.type === 'channel' && !state.isAdmin()) return forReaders(chat, 'Nothing has been posted yet.');
  if (!isThere) return withoutBot(state, chat);
  if (!isMember(chat, state.personId)) return forReaders(chat, 'You are not in this group yet.');
  const mention = inGroup ? `@${state.bot.username} ` : '';
  const sentences = SENTENCES.map((sentence) => (sentence.startsWith('/') ? sentence : mention + sentence));
  return element(
    'section',
    { class: 'welcome', 'aria-label': 'Ways to begin' },
    chatAvatar(chat),
    element('h3', {}, inGroup ? 'A group with the bot in it' : textNodes(state.bot.first_name)),
    inGroup && element('p', {}, 'In groups the bot answers commands, mentions and replies to its messages.'),
    chat.description !== undefined &&
      element('p', { class: 'description', 'data-testid': 'description' }, textNodes(chat.description)),
    !inGroup &&
      element(
        'button',
        {
          type: 'button',
          class: 'primary-button',
          'data-testid': 'start',
          onclick: () => composer.start(),
        },
        'Start',
      ),
    element('h4', {}, 'Send a sample'),
    element(
      'div',
      { class: 'samples' },
      state.samples.map((sample) => sampleButton(sample, (name) => composer.sendSample(name), 'sample')),
    ),
    element('h4', {}, 'Or say'),
    element(
      'div',
      { class: 'sentences' },
      sentences.map((sentence) =>
        element(
          'button',
          {
            type: 'button',
            class: 'sentence',
            'data-testid': 'sentence',
            onclick: () => composer.sendText(sentence),
          },
          textNodes(sentence),
        ),
      ),
    ),
  );
}
