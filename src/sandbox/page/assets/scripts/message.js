/** One message as the acting person sees it: sender, quote, attachment, text, buttons, and what can be done with it. */

import { element, icon } from './dom.js';
import { inlineKeyboard } from './inline-keyboard.js';
import { attachment } from './media.js';
import { personAvatar, personColour, senderName } from './names.js';
import { richText } from './rich-text.js';
import { hasTibetan, textNodes } from './script-runs.js';
import { inShort, serviceWords } from './wording.js';

function timeOf(message) {
  const sent = new Date(message.date * 1000);
  const words = sent.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
  return element('time', { datetime: sent.toISOString() }, words);
}

function quote(message, onJump) {
  const original = message.reply_to_message;
  if (original === undefined || original.forum_topic_created !== undefined) return undefined;
  return element(
    'button',
    { type: 'button', class: 'quote', 'data-testid': 'quote', onclick: () => onJump(original.message_id) },
    element('span', { class: 'visually-hidden' }, 'In reply to '),
    element(
      'span',
      { class: 'quote-name', 'data-colour': personColour(original.from?.id ?? 0) },
      textNodes(senderName(original)),
    ),
    element('span', { class: 'quote-text' }, textNodes(message.quote?.text ?? inShort(original))),
  );
}

function words(message, onCommand) {
  const text = message.text ?? message.caption;
  if (text === undefined) return undefined;
  const entities = message.entities ?? message.caption_entities;
  return element(
    'div',
    { class: 'text', dir: 'auto', 'data-tibetan': hasTibetan(text), 'data-testid': 'message-text' },
    richText(text, entities, onCommand),
  );
}

function action(name, label, testId, onclick) {
  return element(
    'button',
    {
      type: 'button',
      class: 'message-action',
      'aria-label': label,
      title: label,
      'data-testid': testId,
      onclick,
    },
    icon(name),
  );
}

function actions(message, context, mine, isPrivate) {
  const editable = mine && message.via_bot === undefined && (message.text ?? message.caption) !== undefined;
  return element(
    'div',
    { class: 'message-actions' },
    action('reply', 'Reply', 'reply', () => context.onReply(message)),
    editable && action('edit', 'Edit', 'edit', () => context.onEdit(message)),
    (mine || isPrivate) && action('delete', 'Delete', 'delete', () => context.onDelete(message)),
  );
}

/**
 * The element for a message. `context` says who is acting (`personId()`), which id the bot has, its user name, and what to do on
 * `onReply`, `onEdit`, `onDelete`, `onJump`, `onCommand` and `onDraft`.
 */
export function renderMessage(message, context) {
  const identity = { 'data-message-id': message.message_id, 'data-testid': 'message', tabindex: -1 };
  const service = serviceWords(message);
  if (service !== undefined)
    return element(
      'p',
      { ...identity, class: 'service-message', 'data-from': 'service' },
      textNodes(service),
    );

  const fromBot = message.from?.id === context.botId;
  const mine = message.from?.id === context.personId();
  const isPrivate = message.chat.type === 'private';
  const sender = senderName(message);
  const media = attachment(message);
  return element(
    'article',
    {
      ...identity,
      class: mine ? 'message mine' : 'message',
      'data-from': fromBot ? 'bot' : 'person',
      'data-sender-id': message.from?.id,
      'aria-label': mine ? 'You' : sender,
    },
    !mine &&
      !isPrivate &&
      (fromBot
        ? element('span', { class: 'avatar avatar-bot', lang: 'bo', 'aria-hidden': 'true' }, 'ལོ')
        : personAvatar(message.from)),
    element(
      'div',
      { class: 'bubble', 'data-media': media !== undefined && message.photo !== undefined },
      !isPrivate &&
        !mine &&
        element(
          'p',
          { class: 'sender', 'data-colour': personColour(message.from?.id ?? 0), 'aria-hidden': 'true' },
          textNodes(sender),
        ),
      message.via_bot && element('p', { class: 'via' }, `via @${message.via_bot.username}`),
      quote(message, context.onJump),
      media,
      words(message, context.onCommand),
      element(
        'footer',
        { class: 'meta' },
        message.edit_date !== undefined &&
          element('span', { class: 'edited', 'data-testid': 'edited' }, 'edited'),
        timeOf(message),
      ),
    ),
    actions(message, context, mine, isPrivate),
    inlineKeyboard(message, context),
  );
}
