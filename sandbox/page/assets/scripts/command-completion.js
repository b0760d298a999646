/** Offers the commands that the bot registered for this chat and this person's language when a text begins with "/". */
import { act } from './api.js';
import { element } from './dom.js';
import { attempt } from './notices.js';
import { textNodes } from './script-runs.js';

const BEGINS_A_COMMAND = /^\/([a-z0-9_]*)$/i;

/** `complete(text)` gives the options for it; `fill(text)` puts a chosen command into the text field. */
export function commandCompletion(state, fill) {
  const known = new Map();
  for (const type of ['commands', 'loaded']) state.addEventListener(type, () => known.clear());

  function commandsHere() {
    const key = `${state.chatId}/${state.personId}`;
    if (!known.has(key))
      known.set(
        key,
        attempt(() => act('commands', { chatId: state.chatId, personId: state.personId })),
      );
    return known.get(key);
  }

  return async function complete(text) {
    const begun = BEGINS_A_COMMAND.exec(text)?.[1].toLowerCase();
    if (begun === undefined) return [];
    const commands = (await commandsHere()) ?? [];
    return commands
      .filter(({ command }) => command.startsWith(begun))
      .map(({ command, description }) => {
        // In a group the bot's name says whom the command is for, as Telegram's own apps write it.
        const name = state.chat().type === 'private' ? '' : `@${state.bot.username}`;
        const choose = () => fill(`/${command}${name} `);
        const label = [
          element('span', { class: 'suggestion-name' }, `/${command}`),
          element('span', { class: 'suggestion-words' }, textNodes(description)),
        ];
        return { key: command, label, choose, complete: choose };
      });
  };
}
