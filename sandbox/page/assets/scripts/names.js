/** How chats and people are called, and the avatars that stand for them. */
import { element } from './dom.js';
import { textNodes } from './script-runs.js';

const LANGUAGES = { bo: 'བོད་སྐད་', zh: '中文', en: 'English' };
const PERSON_COLOURS = 6;

/** First and last name. */
export function personName(person) {
  return [person.first_name, person.last_name].filter(Boolean).join(' ');
}

/** The person's interface language in its own script, else its code. */
export function languageName(person) {
  return LANGUAGES[person.language_code] ?? person.language_code ?? '';
}

/** What a person sees as a chat's name: the bot's in the private chat, the title of a group. */
export function chatName(chat, bot) {
  return chat.type === 'private' ? bot.first_name : chat.title;
}

/** The sender's name as it is shown over a message. */
export function senderName(message) {
  if (message.sender_chat !== undefined) return message.sender_chat.title ?? 'Channel';
  return message.from === undefined ? '' : personName(message.from);
}

/** A number for the sender's colour, the same everywhere on the page. */
function personColour(id) {
  return Math.abs(id) % PERSON_COLOURS;
}

/** The same for the sender of a message, a chat or a person. */
export function senderColour(message) {
  return personColour(message.sender_chat?.id ?? message.from?.id ?? 0);
}

/** Whom a forwarded message was first from (`MessageOrigin`). */
export function originName(origin) {
  const chat = origin.chat ?? origin.sender_chat;
  if (chat !== undefined) return chat.title;
  return origin.sender_user === undefined ? origin.sender_user_name : personName(origin.sender_user);
}

function initials(name) {
  const words = name.split(/\s+/u).filter(Boolean);
  return words
    .slice(0, 2)
    .map((word) => [...word][0])
    .join('');
}

/** A person's initials on their colour. */
export function personAvatar(person) {
  return element(
    'span',
    { class: 'avatar', 'data-colour': personColour(person.id), 'aria-hidden': 'true' },
    textNodes(initials(person.first_name)),
  );
}

/** The picture beside a message in a group. */
export function senderAvatar(message, fromBot) {
  if (fromBot) return botAvatar();
  if (message.sender_chat !== undefined) return groupAvatar(message.sender_chat);
  return personAvatar(message.from);
}

/** The bot's own sign. */
export function botAvatar() {
  return element('span', { class: 'avatar avatar-bot', lang: 'bo', 'aria-hidden': 'true' }, 'ལོ');
}

function groupAvatar(chat) {
  return element(
    'span',
    { class: 'avatar avatar-group', 'data-colour': personColour(chat.id), 'aria-hidden': 'true' },
    textNodes(initials(chat.title)),
  );
}

/** The picture of a chat as its members see it. */
export function chatAvatar(chat) {
  return chat.type === 'private' ? botAvatar() : groupAvatar(chat);
}
