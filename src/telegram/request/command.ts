/** Commands: how a handler's file describes one, and how one is found at the beginning of a message. */
import type { Message, UserFromGetMe } from 'telegraf/types';
import { orderIn } from '../../language/order-words.ts';
import type { Callback } from './callback.ts';
import type { FormattedText } from './text-in.ts';

/** Who sees a command in the menu: everybody everywhere, in private chats or in groups; group admins; or the bot's admins. */
export type Menu = 'everybody' | 'private' | 'groups' | 'group-admins' | 'admins';

/** One command. `Ctx` is the context of its handler; code that only reads the description need not know it. */
export interface Command<Ctx = never> {
  /** In lower case. */
  readonly name: string;
  /** The menu that lists it, as `command-NAME` of `locales/`. Unset: in none, for example because /settings does the same. */
  readonly menu?: Menu;
  /** The notice for others who use an admins' command, as a key of `locales/`, with the argument `id`. */
  readonly notAdmins?: string;
  /** Refused in groups: its answer is not for them. */
  readonly isPrivateOnly?: true;
  /** What it acts on: its own text or picture, or the one replied to. Unset for a command that sets or shows something. */
  readonly about?: readonly ('text' | 'picture')[];
  /** Takes the text that the command acts on out of its payload; by default all of it. */
  textIn?(payload: string): string;
  /** In groups only the sender and the bot see it and its answer (`ephemeralId`). */
  readonly isEphemeral?: true;
  /** Its answer is personal: if the group cannot show it to the sender alone, it goes to the private chat. */
  readonly isPersonal?: true;
  /** Stops the person's running and waiting work as soon as it is received. */
  readonly stopsWork?: true;
  /** Whether strangers may use it with this payload; by default they may not. */
  isForStrangers?(payload: string): boolean;
  /** Called for a blocked person, who gets no answer. */
  handleUnanswered?(ctx: Ctx): Promise<void>;
  readonly callbacks?: readonly Callback<Ctx>[];
  /** `payload`: the text after the command, without outer white space. */
  handle(ctx: Ctx, payload: string): Promise<void>;
}

export interface Vocabulary<Ctx = never> {
  /** In the order of the menus. */
  readonly commands: readonly Command<Ctx>[];
  /** Those of the commands, and those under other answers. */
  readonly callbacks: readonly Callback<Ctx>[];
}

/** What parsing needs: the vocabulary, and the bot's own account. */
export interface ParserDeps<Ctx = never> extends Vocabulary<Ctx> {
  readonly me: UserFromGetMe;
}

/** The command that a message begins with, this bot's or another's. */
export interface ParsedCommand<Ctx = never> {
  /** Undefined if no command has this name, or the message names another bot. */
  readonly command: Command<Ctx> | undefined;
  /** The text after it, without outer white space. */
  readonly payload: string;
  /** The text that it acts on. */
  readonly text: string;
  readonly isInCaption: boolean;
  readonly isByName: boolean;
}

/** The words of a message that was not forwarded. */
interface Said {
  readonly written: FormattedText;
  readonly isMentioned: boolean;
  readonly textWithoutMention: string;
}

interface Found {
  /** In lower case. */
  readonly name: string;
  readonly payload: string;
  /** The username of the bot that it names, in lower case. */
  readonly addressee: string | undefined;
}

/** The command that a message begins with, or that its words stand for. */
export function commandIn<Ctx>(
  message: object,
  said: Said,
  { me, commands }: ParserDeps<Ctx>,
): ParsedCommand<Ctx> | undefined {
  const username = me.username.toLowerCase();
  const found = typedIn(said.written, username) ?? orderedIn(message, said, username);
  if (found === undefined) return undefined;
  const { name, payload, addressee = username } = found;
  const command = addressee === username ? commands.find((one) => one.name === name) : undefined;
  return {
    command,
    payload,
    text: command?.textIn?.(payload) ?? payload,
    isInCaption: 'caption' in message,
    isByName: found.addressee === username,
  };
}

/** Punctuation between a command and its text, with or without a space: `/speak：你好`. */
const SEPARATORS = /^[\s,:，：、]+/u;

/** A command, before which there is nothing or a mention of the bot, as people write in groups: `@bot /speak`. */
function typedIn({ text, entities }: FormattedText, username: string): Found | undefined {
  const before = ['', `@${username}`];
  const entity = entities.find(
    ({ type, offset }) =>
      type === 'bot_command' && before.includes(text.slice(0, offset).trim().toLowerCase()),
  );
  if (entity === undefined) return undefined;
  const end = entity.offset + entity.length;
  const [name = '', addressee] = text
    .slice(entity.offset + 1, end)
    .toLowerCase()
    .split('@');
  return { name, addressee, payload: text.slice(end).replace(SEPARATORS, '').trimEnd() };
}

/** *translate*, 朗读 and the like stand for a command beside a mention of the bot, and in a private chat as a caption or a reply. */
function orderedIn(
  message: object,
  { isMentioned, textWithoutMention }: Said,
  username: string,
): Found | undefined {
  const { chat }: Partial<Message> = message;
  const isCaption = 'caption' in message;
  const isAboutSomething = isCaption || 'reply_to_message' in message || 'external_reply' in message;
  if (!isMentioned && !(chat?.type === 'private' && isAboutSomething)) return undefined;
  const order = orderIn(textWithoutMention, isMentioned && !isCaption);
  return order && { ...order, addressee: isMentioned ? username : undefined };
}
