/** One message as the acting person sees it: sender, quote, attachment, text, buttons, and what can be done with it. */
import { element, icon } from './dom.js';
import { inlineKeyboard } from './inline-keyboard.js';
import { attachment } from './media.js';
import { originName, senderAvatar, senderColour, senderName } from './names.js';
import { isForOne } from './places.js';
import { richText } from './rich-text.js';
import { hasTibetan, textNodes } from './script-runs.js';
import { composedText, inShort, serviceWords, timeOf } from './wording.js';

function timeElement(message) {
  const sent = new Date(message.date * 1000).toISOString();
  return element('time', { datetime: sent }, timeOf(message));
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
      { class: 'quote-name', 'data-colour': senderColour(original) },
      textNodes(senderName(original)),
    ),
    element('span', { class: 'quote-text' }, textNodes(message.quote?.text ?? inShort(original))),
  );
}

function words(message, onCommand) {
  const text = message.text ?? message.caption ?? composedText(message);
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

function actions(message, context) {
  return element(
    'div',
    { class: 'message-actions' },
    action('reply', 'Reply', 'reply', () => context.onReply(message)),
    action('more', 'More', 'more', ({ currentTarget }) => context.onMenu(message, currentTarget)),
  );
}

const ROLES = { creator: 'owner', administrator: 'admin' };

/** The sender's name, and what they are in the group. */
function senderLine(message, state) {
  const isPost = message.sender_chat !== undefined;
  const chat = state.chat(message.chat.id);
  const role = ROLES[state.member(message.from?.id, chat)?.status];
  const place = message.is_automatic_forward ? 'channel' : isPost ? 'anonymous' : role;
  return element(
    'p',
    { class: 'sender', 'data-colour': senderColour(message), 'aria-hidden': 'true' },
    element('span', { class: 'sender-name' }, textNodes(senderName(message))),
    place !== undefined && element('span', { class: 'role', 'data-testid': 'role' }, place),
  );
}

function forwardedFrom(message) {
  if (message.forward_origin === undefined || message.is_automatic_forward) return undefined;
  return element(
    'p',
    { class: 'forwarded', 'data-testid': 'forwarded' },
    'Forwarded from ',
    element('b', {}, textNodes(originName(message.forward_origin))),
  );
}

function reactions(message, state) {
  const emoji = state.reactions(message);
  if (emoji.length === 0) return undefined;
  return element(
    'p',
    { class: 'reactions', 'aria-label': `Reactions: ${emoji.join(' ')}` },
    [...new Set(emoji)].map((one) => {
      const count = emoji.filter((other) => other === one).length;
      return element(
        'span',
        { class: 'reaction', 'data-testid': 'reaction' },
        textNodes(one),
        count > 1 && ` ${count}`,
      );
    }),
  );
}

/** The element for a message. `context` has the `state`, and what to do on `onReply`, `onMenu`, `onJump`, `onCommand`, `onDraft`. */
export function renderMessage(message, context) {
  const { state } = context;
  const identity = { 'data-message-id': message.message_id, 'data-testid': 'message', tabindex: -1 };
  const service = serviceWords(message);
  if (service !== undefined)
    return element(
      'p',
      { ...identity, class: 'service-message', 'data-from': 'service' },
      textNodes(service),
    );

  const fromBot = message.from?.id === state.bot.id;
  const mine = state.isMine(message);
  const isPrivate = message.chat.type === 'private';
  const media = attachment(message);
  const forOne = isForOne(message);
  return element(
    'article',
    {
      ...identity,
      class: mine ? 'message mine' : 'message',
      'data-for-one': forOne,
      'data-from': fromBot ? 'bot' : 'person',
      'data-sender-id': message.sender_chat?.id ?? message.from?.id,
      'aria-label': mine ? 'You' : senderName(message),
      oncontextmenu: (event) => {
        // Where a word is marked, or a link pressed, the browser's own menu is of more use.
        if (forOne || !document.getSelection().isCollapsed || event.target.closest('a, audio') !== null)
          return;
        event.preventDefault();
        const { currentTarget } = event;
        const open = () => context.onMenu(message, currentTarget);
        // Some systems ask for the menu while the button is still down; letting it go would close the menu again.
        if (event.buttons === 0) open();
        else addEventListener('mouseup', open, { once: true });
      },
    },
    !mine && !isPrivate && senderAvatar(message, fromBot),
    element(
      'div',
      { class: 'bubble', 'data-media': media?.matches('.photo, .video') === true },
      !isPrivate && (!mine || message.sender_chat !== undefined) && senderLine(message, state),
      message.via_bot && element('p', { class: 'via' }, `via @${message.via_bot.username}`),
      forOne &&
        element('p', { class: 'for-one', 'data-testid': 'for-one' }, icon('lock'), 'Only you see this'),
      forwardedFrom(message),
      quote(message, context.onJump),
      media,
      words(message, context.onCommand),
      reactions(message, state),
      element(
        'footer',
        { class: 'meta' },
        message.edit_date !== undefined &&
          element('span', { class: 'edited', 'data-testid': 'edited' }, 'edited'),
        timeElement(message),
      ),
    ),
    !forOne && actions(message, context),
    inlineKeyboard(message, context),
  );
}
