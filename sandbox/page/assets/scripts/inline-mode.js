/** Inline mode: "@bot text" asks the bot for results, and a chosen one is sent in the person's name. */
import { act } from './api.js';
import { element, icon } from './dom.js';
import { attempt } from './notices.js';
import { textNodes } from './script-runs.js';

/** How long Telegram's apps wait for a pause in typing before they ask, ms. */
const PAUSE = 400;

/** The query in a text that begins with the bot's name and a space, or nothing. */
export function inlineQueryIn(text, botName) {
  const prefix = `@${botName} `;
  return text.toLowerCase().startsWith(prefix.toLowerCase()) ? text.slice(prefix.length).trim() : undefined;
}

/** One of the bot's results; sent into the chat and topic that are open. */
function option(state, answer, result, onSent) {
  return {
    key: result.id,
    label: [
      element(
        'span',
        { class: 'result-mark', 'aria-hidden': 'true' },
        icon(result.type === 'voice' ? 'voice' : 'translate'),
      ),
      element(
        'span',
        { class: 'result-words' },
        element('span', { class: 'result-title' }, textNodes(result.title ?? result.type)),
        element('span', { class: 'suggestion-words' }, textNodes(result.description ?? '')),
      ),
    ],
    choose: async () => {
      const choice = {
        personId: state.personId,
        chatId: state.chatId,
        threadId: state.topicId,
        queryId: answer.queryId,
        resultId: result.id,
      };
      if (await attempt(() => act('chooseInline', choice))) onSent();
    },
  };
}

/** The button over the results: it leads to the chat with the bot. */
function buttonOption(state, { text, start_parameter: parameter }, onOpen) {
  return {
    key: 'button',
    label: [
      element('span', { class: 'result-button', 'data-testid': 'inline-results-button' }, textNodes(text)),
    ],
    choose: () => {
      state.open(state.personId);
      state.askToStart(parameter ?? '');
      onOpen();
    },
  };
}

/**
 * `ask(query, show)` waits for a pause in typing and gives `show` the options, and which of them is the first result; a newer
 * question replaces it.
 */
export function inlineMode(state, onSent, onOpen) {
  let newest = 0;
  return {
    ask(query, show) {
      newest += 1;
      const own = newest;
      setTimeout(async () => {
        if (own !== newest) return;
        const { personId, chatId } = state;
        const answer = await attempt(() => act('inlineQuery', { personId, chatId, query }));
        if (own !== newest || answer === undefined) return;
        const results = answer.results.map((result) => option(state, answer, result, onSent));
        const before = answer.button ? [buttonOption(state, answer.button, onOpen)] : [];
        show([...before, ...results], results.length > 0 ? before.length : undefined);
      }, PAUSE);
    },
    forget() {
      newest += 1;
    },
  };
}
