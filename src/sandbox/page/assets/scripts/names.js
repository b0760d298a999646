/** How chats and people are called, and the avatars that stand for them. */

import { element } from './dom.js';
import { textNodes } from './script-runs.js';

const LANGUAGES = { bo: 'བོད་སྐད་', zh: '中文', en: 'English' };
const PERSON_COLOURS = 6;

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
export function personColour(id) {
  return Math.abs(id) % PERSON_COLOURS;
}

function initials(name) {
  const words = name.split(/\s+/u).filter(Boolean);
  return words
    .slice(0, 2)
    .map((word) => [...word][0])
    .join('');
}

export function personAvatar(person) {
  return element(
    'span',
    { class: 'avatar', 'data-colour': personColour(person.id), 'aria-hidden': 'true' },
    textNodes(initials(person.first_name)),
  );
}

export function chatAvatar(chat) {
  if (chat.type === 'private')
    return element('span', { class: 'avatar avatar-bot', lang: 'bo', 'aria-hidden': 'true' }, 'ལོ');
  return element(
    'span',
    { class: 'avatar avatar-group', 'aria-hidden': 'true' },
    textNodes(initials(chat.title)),
  );
}
