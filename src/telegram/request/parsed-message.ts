/** A message, parsed once: its text, its command, its mention of the bot, its file. */
import type { Message } from 'telegraf/types';
import { pasted } from '../../language/paste.ts';
import { type Command, commandIn, type ParserDeps } from './command.ts';
import { documentIn, pictureFileIn, picturesIn, type SentDocument, type SentFile } from './sent-file.ts';
import { isForwarded, mentions, textIn, textWithoutMention } from './text-in.ts';

/** The command that a message begins with, this bot's or another's. */
interface ParsedCommand<Ctx> {
  /** Undefined if no command has this name, or the message names another bot. */
  readonly command: Command<Ctx> | undefined;
  /** In lower case. */
  readonly name: string;
  /** The text after it, without outer white space. */
  readonly payload: string;
  /** The text that it acts on. */
  readonly text: string;
  readonly isInCaption: boolean;
  /** It names this bot. */
  readonly isByName: boolean;
  readonly isForAnotherBot: boolean;
}

/** One message, or one of those of an album. */
export interface ParsedMessage<Ctx = never> {
  /** Undefined if it is in another chat. */
  readonly message: Message | undefined;
  /** The text or caption as it was written; empty if it has neither. */
  readonly text: string;
  /** The text without mentions of the bot (a forwarded message keeps them) and outer white space. */
  readonly textWithoutMention: string;
  /** Undefined for a forwarded message, too. */
  readonly command: ParsedCommand<Ctx> | undefined;
  readonly mentionsBot: boolean;
  readonly isForwarded: boolean;
  readonly picture: SentFile | undefined;
  readonly document: SentDocument | undefined;
}

/** Parses a message. */
export function parseMessage<Ctx>(message: Message, deps: ParserDeps<Ctx>): ParsedMessage<Ctx> {
  return { ...parse(message, deps), message };
}

/** As `parseMessage`, but gives a part for each picture of a rich message, as for an album. */
export function parseMessages<Ctx>(
  message: Message,
  deps: ParserDeps<Ctx>,
): [ParsedMessage<Ctx>, ...ParsedMessage<Ctx>[]] {
  const part = parseMessage(message, deps);
  const [, ...more] = picturesIn(message);
  return [part, ...more.map((picture) => ({ ...part, picture }))];
}

/** Parses a message in another chat, as a reply reports it. */
export function parseElsewhere<Ctx>(message: object, deps: ParserDeps<Ctx>): ParsedMessage<Ctx> {
  // Its id means nothing in this chat.
  return parse({ ...message, message_id: undefined }, deps);
}

function parse<Ctx>(message: object, deps: ParserDeps<Ctx>): ParsedMessage<Ctx> {
  return {
    message: undefined,
    text: textIn(message),
    textWithoutMention: textWithoutMention(message, deps.me),
    command: parseCommand(message, deps),
    mentionsBot: mentions(message, deps.me),
    isForwarded: isForwarded(message),
    picture: pictureFileIn(message),
    document: documentIn(message),
  };
}

function parseCommand<Ctx>(
  message: object,
  { me, commands }: ParserDeps<Ctx>,
): ParsedCommand<Ctx> | undefined {
  const found = commandIn(message, me);
  if (found === undefined) return undefined;
  const { name, payload, addressee } = found;
  const isByName = addressee === me.username.toLowerCase();
  const isForAnotherBot = addressee !== undefined && !isByName;
  const command = commands.find((one) => one.name === name);
  return {
    command: isForAnotherBot ? undefined : command,
    name,
    payload,
    text: command?.textIn?.(payload) ?? payload,
    isInCaption: 'caption' in message,
    isByName,
    isForAnotherBot,
  };
}

/** Whether it has a file that the bot reads: a picture or a document. */
export function hasFile({ picture, document }: ParsedMessage): boolean {
  return picture !== undefined || document !== undefined;
}

/** Whether these are the pieces of one text that the sender's app has split. */
export function isPaste(album: readonly ParsedMessage[]): boolean {
  return album.length > 1 && album.every(({ message }) => message !== undefined && 'text' in message);
}

/** The text of a message, of an album, or of all pieces of a split text, without mentions of the bot. */
export function albumText(album: readonly ParsedMessage[]): string {
  const texts = album.map((part) => part.textWithoutMention).filter((one) => one !== '');
  return isPaste(album) ? pasted(texts) : texts.join('\n\n');
}
