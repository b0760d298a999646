/** The command that a text or caption begins with, whatever else is marked there: one in bold has its boldness for its first entity. */
import type { MessageEntity, UserFromGetMe } from 'telegraf/types';
import { takeVariety } from '../../language/variety.ts';
import type { Worded } from './text-in.ts';

type Me = Pick<UserFromGetMe, 'username'>;

/** Whether a message is a command, also one that names another bot. */
export function isCommand(message: object, me: Me): boolean {
  const { text = '', entities }: Worded = message;
  return commandOf(text, entities, me) !== undefined;
}

/** Whether a text is a command that names this bot. */
export function isCommandTo(message: object, me: Me): boolean {
  const { text = '', entities }: Worded = message;
  return commandOf(text, entities, me)?.addressee === me.username.toLowerCase();
}

export interface Command {
  /** In lower case. */
  readonly name: string;
  /** What follows it, without outer white space. */
  readonly payload: string;
}

/** The command that a text begins with; undefined where there is none, or it names another bot. */
export function textCommandIn(message: object, me: Me): Command | undefined {
  const { text = '', entities }: Worded = message;
  return ours(commandOf(text, entities, me), me);
}

/** The same of a caption. */
export function captionCommandIn(message: object, me: Me): Command | undefined {
  const { caption = '', caption_entities }: Worded = message;
  return ours(commandOf(caption, caption_entities, me), me);
}

/** What a message is about that asks a bot for something, be it this one or another; undefined where it begins with no command. */
export function wordsBesideCommand(message: object, me: Me): string | undefined {
  const { text, caption = '', entities, caption_entities }: Worded = message;
  const command = commandOf(text ?? caption, entities ?? caption_entities, me);
  return command?.name === 'speak' ? takeVariety(command.payload).text : command?.payload;
}

/** What may stand between a command and what it is about, with a space or without: `/speak：你好`. */
const SEPARATORS = /^[\s,:，：、]+/u;

interface AnyCommand extends Command {
  /** The bot that it names, in lower case. */
  readonly addressee: string | undefined;
}

function commandOf(words: string, entities: readonly MessageEntity[] = [], me: Me): AnyCommand | undefined {
  const isFirst = ({ offset }: MessageEntity) => addressesOnly(words.slice(0, offset), me);
  const entity = entities.find((one) => one.type === 'bot_command' && isFirst(one));
  if (entity === undefined) return undefined;
  const end = entity.offset + entity.length;
  const [name = '', addressee] = words
    .slice(entity.offset + 1, end)
    .toLowerCase()
    .split('@');
  return { name, addressee, payload: words.slice(end).replace(SEPARATORS, '').trimEnd() };
}

/** Whether nothing stands there but a mention of the bot, as people put it before a command in a group: `@bot /speak`. */
function addressesOnly(words: string, { username }: Me): boolean {
  const before = words.trim().toLowerCase();
  return before === '' || before === `@${username.toLowerCase()}`;
}

function ours(command: AnyCommand | undefined, { username }: Me): Command | undefined {
  if (command === undefined) return undefined;
  const { name, payload, addressee = username } = command;
  return addressee.toLowerCase() === username.toLowerCase() ? { name, payload } : undefined;
}
