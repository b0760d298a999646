/** What an empty chat offers: the start, sample photos, and sentences to try. */

import { element } from './dom.js';
import { chatAvatar } from './names.js';
import { textNodes } from './script-runs.js';

const SENTENCES = ['བཀྲ་ཤིས་བདེ་ལེགས།', '你好', '/speak amdo བཀྲ་ཤིས་བདེ་ལེགས།'];

/** The picture and name of a sample photo as a button; a press sends it. */
export function sampleButton(sample, onPick, testId) {
  return element(
    'button',
    {
      type: 'button',
      class: 'sample',
      'data-testid': testId,
      'data-sample': sample.name,
      onclick: () => onPick(sample.name),
    },
    element('img', { src: `api/samples/${sample.name}`, alt: '', width: 120, height: 80 }),
    element('span', {}, `${sample.label} photo`),
  );
}

/** The welcome for the open chat, where nothing has been said yet. */
export function welcome(state, composer) {
  const chat = state.chat();
  const inGroup = chat.type !== 'private';
  const mention = inGroup ? `@${state.bot.username} ` : '';
  const sentences = SENTENCES.map((sentence) => (sentence.startsWith('/') ? sentence : mention + sentence));
  return element(
    'section',
    { class: 'welcome', 'aria-label': 'Ways to begin' },
    chatAvatar(chat),
    element('h3', {}, inGroup ? 'A group with the bot in it' : 'A Tibetan interpreter in your chat'),
    element(
      'p',
      {},
      inGroup
        ? 'In groups the bot answers commands, mentions and replies to its messages.'
        : 'Send a photo to read its text, a sentence to translate it, or ask to hear it.',
    ),
    !inGroup &&
      element(
        'button',
        {
          type: 'button',
          class: 'primary-button',
          'data-testid': 'start',
          onclick: () => composer.sendText('/start'),
        },
        'Start',
      ),
    element('h4', {}, 'Send a sample photo'),
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
