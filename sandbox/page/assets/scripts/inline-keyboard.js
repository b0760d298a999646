/** The buttons under a bot's message: callbacks with a busy state, copying, links, and drafts for inline mode. */
import { act } from './api.js';
import { copy } from './clipboard.js';
import { element, icon } from './dom.js';
import { alertBox, attempt, toast } from './notices.js';
import { textNodes } from './script-runs.js';

async function press(button, message, data, { state, onLink }) {
  if (button.getAttribute('aria-busy') === 'true') return;
  button.setAttribute('aria-busy', 'true');
  const answer = await attempt(() =>
    act('press', {
      personId: state.personId,
      chatId: message.chat.id,
      messageId: message.message_id,
      data,
    }),
  );
  button.removeAttribute('aria-busy');
  if (answer?.url) onLink(answer.url);
  if (!answer?.text) return;
  if (answer.showAlert) alertBox(answer.text);
  else toast(answer.text);
}

function renderButton(described, message, context) {
  const { state, onDraft } = context;
  const shared = { class: 'inline-button', 'data-style': described.style, 'data-testid': 'inline-button' };
  const label = textNodes(described.text);
  if (described.url !== undefined) {
    return element(
      'a',
      { ...shared, href: described.url, target: '_blank', rel: 'noopener noreferrer' },
      label,
      icon('link'),
    );
  }
  if (described.copy_text !== undefined) {
    return element(
      'button',
      { ...shared, type: 'button', onclick: () => copy(described.copy_text.text) },
      label,
      icon('copy'),
    );
  }
  const query =
    described.switch_inline_query_current_chat ??
    described.switch_inline_query ??
    described.switch_inline_query_chosen_chat?.query;
  if (query !== undefined) {
    return element(
      'button',
      { ...shared, type: 'button', onclick: () => onDraft(`@${state.bot.username} ${query}`) },
      label,
    );
  }
  const data = described.callback_data ?? '';
  return element(
    'button',
    {
      ...shared,
      type: 'button',
      'data-callback-data': data,
      onclick: ({ currentTarget }) => press(currentTarget, message, data, context),
    },
    label,
  );
}

/** The rows of buttons of a message, or nothing. */
export function inlineKeyboard(message, context) {
  const rows = message.reply_markup?.inline_keyboard ?? [];
  if (rows.length === 0) return undefined;
  return element(
    'div',
    { class: 'keyboard', role: 'group', 'aria-label': 'Buttons of this message' },
    rows.map((row) =>
      element(
        'div',
        { class: 'keyboard-row' },
        row.map((button) => renderButton(button, message, context)),
      ),
    ),
  );
}
