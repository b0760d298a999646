/** The command that a text or caption begins with, whatever else is marked there: one in bold has its boldness for its first entity. */
import type { Message, MessageEntity, UserFromGetMe } from 'telegraf/types';
import type { Worded } from './text-in.ts';

/** Whether a message is a command, also one that names another bot. */
export function isCommand(message: Message): boolean {
  return 'entities' in message && commandAmong(message.entities) !== undefined;
}

export interface Command {
  /** In lower case. */
  readonly name: string;
  /** What follows it, without outer white space. */
  readonly payload: string;
}

/** The command that a text begins with; undefined where there is none, or it names another bot. */
export function textCommandIn(message: object, me: Pick<UserFromGetMe, 'username'>): Command | undefined {
  const { text = '', entities }: Worded = message;
  return commandOf(text, entities, me.username);
}

/** The same of a caption. */
export function captionCommandIn(message: object, me: Pick<UserFromGetMe, 'username'>): Command | undefined {
  const { caption = '', caption_entities }: Worded = message;
  return commandOf(caption, caption_entities, me.username);
}

/** What may stand between a command and what it is about, with a space or without: `/speak：你好`. */
const SEPARATORS = /^[\s,:，：、]+/u;

function commandOf(words: string, entities: MessageEntity[] | undefined, me: string): Command | undefined {
  const command = commandAmong(entities);
  if (command === undefined) return undefined;
  const [name = '', addressee = me] = words.slice(1, command.length).toLowerCase().split('@');
  if (addressee.toLowerCase() !== me.toLowerCase()) return undefined;
  return { name, payload: words.slice(command.length).replace(SEPARATORS, '').trimEnd() };
}

function commandAmong(entities: readonly MessageEntity[] = []): MessageEntity | undefined {
  return entities.find(({ type, offset }) => type === 'bot_command' && offset === 0);
}
