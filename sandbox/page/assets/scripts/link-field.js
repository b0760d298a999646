/** Opens links to the bot from a field, as from anywhere in Telegram. */
import { followBotLink } from './bot-links.js';
import { element, icon } from './dom.js';
import { toast } from './notices.js';
import { closeSheet } from './sheet.js';

/** The field, and the two kinds of links as examples. */
export function linkExamples(state, onOpen) {
  const follow = (address) => {
    closeSheet();
    if (!followBotLink(address, state, onOpen)) toast(`This is no link to @${state.bot.username}`, 'error');
  };
  const field = element('input', {
    type: 'text',
    class: 'field',
    value: `t.me/${state.bot.username}?start=`,
    'aria-label': 'Link to the bot',
    'data-testid': 'link',
    spellcheck: 'false',
  });
  const example = (words, address) =>
    element(
      'button',
      { type: 'button', class: 'row', 'data-testid': 'link-example', onclick: () => follow(address) },
      icon('link'),
      element('span', { class: 'row-name' }, words, element('span', { class: 'hint' }, address)),
    );
  return [
    element(
      'form',
      {
        class: 'sheet-form inline-form',
        onsubmit: (event) => {
          event.preventDefault();
          follow(field.value.trim());
        },
      },
      field,
      element('button', { type: 'submit', class: 'primary-button', 'data-testid': 'open-link' }, 'Open'),
    ),
    example('Start the bot', `t.me/${state.bot.username}?start=help`),
    example('Add it to a group', `t.me/${state.bot.username}?startgroup=true`),
  ];
}
