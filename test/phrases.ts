/** What people write in the tests, and what they would look for in an answer. */

import type { Message } from '../sandbox/telegram/objects.ts';
import type { InterfaceLanguage } from '../src/language/interface-language.ts';
import { DIALECTS } from '../src/language/variety.ts';
import { loadWords } from '../src/telegram/locale.ts';

export const TIBETAN = 'བཀྲ་ཤིས་བདེ་ལེགས།';
export const CHINESE = '今天天气很好。';

const words = loadWords(new URL('../locales/', import.meta.url));

/** A sentence of the bot, which knows its username. */
export function says(
  id: string,
  language: InterfaceLanguage = 'en',
  args: Record<string, string | number> = {},
): string {
  return words(language, id, { username: 'lotsawa_bot', ...args });
}

/** A sentence of the bot that names the time until something, whatever that time is. */
export function saysWithTime(id: string, language: InterfaceLanguage = 'en'): RegExp {
  const [before = '', after = ''] = says(id, language, { minutes: '\0', seconds: '\0' })
    .split('\0')
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${before}\\d+${after}$`);
}

/** How the message begins that tells of the day's limit of a person, in English. */
export const LIMIT = says('limit-person', 'en', { hours: '\0', minutes: '\0' }).split('\0')[0] ?? '';

/** How the message begins that counts what is done of longer work, in English. */
export const PROGRESS = says('progress', 'en', { done: '\0', total: '\0' }).split('\0')[0] ?? '';

/** Whether a message counts what is done of longer work. */
export function isProgress({ text }: Message): boolean {
  return text?.startsWith(PROGRESS) === true;
}

let number = 1000;

/** A Tibetan text that was never translated or spoken before; its number stays the same in every language. */
export function newTibetan(): string {
  number += 1;
  return `${TIBETAN} ${number}`;
}

/** A Chinese text that was never translated or spoken before. */
export function newChinese(): string {
  number += 1;
  return `${CHINESE} ${number}`;
}

/** The number of a new text, or of what became of it. */
export function numberOf(text = ''): string | undefined {
  return /\d{4}/.exec(text)?.[0];
}

/** Whether a message replies to this one. */
export function isReplyTo({ message_id }: Message): (message: Message) => boolean {
  return ({ reply_to_message: to }) => to?.message_id === message_id;
}

/** Whether a message is a voice note. */
export function isVoice({ voice }: Message): boolean {
  return voice !== undefined;
}

/** Whether any of a text is in Tibetan script. */
export function hasTibetan(text = ''): boolean {
  return /\p{Script=Tibetan}/u.test(text);
}

/** Whether any of a text is in Chinese characters. */
export function hasChinese(text = ''): boolean {
  return /\p{Script=Han}/u.test(text);
}

/** The data of the buttons under a message, in order; a button that copies is `copy`, one that leads to a chat to choose is `send`. */
export function buttonsOf(message: Message): string[] {
  const buttons = message.reply_markup?.inline_keyboard.flat() ?? [];
  return buttons.map(
    ({ callback_data, copy_text, switch_inline_query_chosen_chat: chosen }) =>
      callback_data?.replace(/^(read:\w+):[\w-]{22}/, '$1') ??
      (copy_text ? 'copy' : chosen ? 'send' : 'other'),
  );
}

/** What stands on the buttons under a message, in order. */
export function labelsOf({ reply_markup }: Message): string[] {
  return reply_markup?.inline_keyboard.flat().map(({ text }) => text) ?? [];
}

/** The data of the buttons under a Tibetan text that speak it. */
export const SPEAK_BUTTONS = DIALECTS.map((dialect) => `speak:${dialect}`);

/** The data of the buttons under a Tibetan text that write it in Latin letters. */
export const SPELLING_BUTTONS = ['wylie', 'phonetics'];

/** The message that offers to cancel a wait or counts its work: who waits long has it before the answer. */
export function offersToCancel(message: Message): boolean {
  return buttonsOf(message).some((data) => data.startsWith('cancel:'));
}

/** The voice note that follows the first words, at its own pace. */
function offersAloud(message: Message): boolean {
  return buttonsOf(message).some((data) => data.startsWith('aloud:'));
}

/**
 * What the bot says, but for the offer to cancel, of which a busy machine makes one where nobody would wait for long, and the offer to speak.
 */
export function isAnswer(message: Message): boolean {
  return message.from?.is_bot === true && !offersToCancel(message) && !offersAloud(message);
}
