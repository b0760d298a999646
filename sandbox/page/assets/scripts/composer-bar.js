/** What stands in the composer's place where the person cannot write: join, start, unblock, closed topic. */
import { act } from './api.js';
import { byId, element } from './dom.js';
import { attempt } from './notices.js';

/** `{ words, act }` for the bar; no `act`, no button; nothing where the composer stands. */
function standsInstead(state, composer) {
  const { personId, chatId } = state;
  const chat = state.chat();
  if (state.member() === undefined)
    return {
      words: chat.type === 'channel' ? 'Join channel' : 'Join group',
      act: () => act('setMember', { personId, chatId, userId: personId, status: 'member' }),
    };
  if (chat.blocksBot)
    return { words: 'Unblock the bot', act: () => act('setPrivacy', { personId, blocksBot: false }) };
  // An empty chat has its own Start (welcome.js).
  if (chat.type === 'private' && state.startParameter !== undefined && state.messages().length > 0)
    return { words: 'Start', act: () => composer.start() };
  if (chat.type === 'channel' && !state.isAdmin()) return { words: 'Only its admins post in a channel' };
  if (state.isTopicClosed() && !state.isAdmin()) return { words: 'This topic is closed' };
  return undefined;
}

/** Wires the bar: it comes and goes with the open chat, its topic and its members. */
export function wireComposerBar(state, composer) {
  const bar = byId('composer-bar');
  const render = () => {
    const instead = standsInstead(state, composer);
    byId('composer').hidden = instead !== undefined;
    bar.hidden = instead === undefined;
    bar.replaceChildren();
    if (instead === undefined) return;
    const { words, act } = instead;
    bar.append(
      act === undefined
        ? element('p', { class: 'bar-words' }, words)
        : element(
            'button',
            { type: 'button', class: 'bar-button', 'data-testid': 'bar', onclick: () => attempt(act) },
            words,
          ),
    );
  };
  for (const type of ['loaded', 'person', 'chat', 'chats', 'start']) state.addEventListener(type, render);
}
