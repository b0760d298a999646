/** What a request asks: its intent, its album, whether it addresses the bot, and what in it decides its answer. */
import { hash } from 'node:crypto';
import type { ChatMemberUpdated, Message, UserFromGetMe } from 'telegraf/types';
import { documentWords } from '../../language/page-range.ts';
import { readingLanguageIn } from '../../language/reading-language.ts';
import { type Press, pressOf } from './callback.ts';
import type { ParsedCommand, ParserDeps, Vocabulary } from './command.ts';
import {
  ephemeralId,
  hasContent,
  type ParsedMessage,
  parseMessage,
  repliedMessage,
} from './parsed-message.ts';
import type { ParsedUpdate, UsableUpdate } from './update.ts';

export type Intent<Ctx = never> =
  /** A command. In an album the first one counts. */
  | (ParsedCommand<Ctx> & {
      readonly kind: 'command';
      /** It is about the pictures or documents under which it stands. */
      readonly isAboutFile: boolean;
    })
  /** Pictures (photos, images sent as files) or documents, one or an album. */
  | { readonly kind: 'files' }
  /** Words that are no command: a text, a poll, a caption of something other than a picture. */
  | { readonly kind: 'text' }
  | Press<Ctx>
  /** A group has become a supergroup. Telegram sends this to both chats. */
  | { readonly kind: 'upgrade'; readonly from: number; readonly to: number }
  /** The bot was added to a group, or removed from one. */
  | { readonly kind: 'membership'; readonly change: ChatMemberUpdated }
  /** A sticker, a video without a caption, a location. */
  | { readonly kind: 'other' }
  /** What Telegram reports by itself in the name of a person: a pinned message, a gift, a refund. */
  | { readonly kind: 'service' };

/** The intent of an update. `album`: all messages of its album, or its message alone. */
export function intentOf<Ctx>(
  update: UsableUpdate,
  album: readonly ParsedMessage<Ctx>[],
  { callbacks }: Vocabulary<Ctx>,
): Intent<Ctx> {
  if ('callback_query' in update) return pressOf(update.callback_query, callbacks);
  if ('my_chat_member' in update) return { kind: 'membership', change: update.my_chat_member };
  const { message } = update;
  const { id } = message.chat;
  if ('migrate_to_chat_id' in message) return { kind: 'upgrade', from: id, to: message.migrate_to_chat_id };
  if ('migrate_from_chat_id' in message)
    return { kind: 'upgrade', from: message.migrate_from_chat_id, to: id };
  return messageIntent(message, album);
}

function messageIntent<Ctx>(message: Message, album: readonly ParsedMessage<Ctx>[]): Intent<Ctx> {
  const commands = album.flatMap(({ command }) => command ?? []);
  const isAboutFile = album.some(({ hasFile }) => hasFile);
  const typed = commands.find(({ isInCaption }) => !isInCaption);
  if (typed !== undefined) return { kind: 'command', ...typed, isAboutFile: false };
  const captioned = commands.find(({ command }) => command !== undefined);
  const about = captioned?.command?.about;
  if (isAboutFile) {
    const isCommand = captioned !== undefined && about?.includes('picture');
    return isCommand ? { kind: 'command', ...captioned, isAboutFile } : { kind: 'files' };
  }
  if (captioned === undefined || about === undefined)
    return {
      kind: album.some(({ text }) => text !== '') ? 'text' : hasContent(message) ? 'other' : 'service',
    };
  // A file of any other kind is not read: its caption can only ask about itself, or about the message replied to.
  const isAboutText = captioned.text !== '' || repliedMessage(message) !== undefined;
  return isAboutText ? { kind: 'command', ...captioned, isAboutFile } : { kind: 'other' };
}

/** Whether the request stops the person's work. Uses the parsed command, not the text: `/cancel` in a code block is no command. */
export function stopsWork(intent: Intent): boolean {
  if (intent.kind === 'command') return intent.command?.stopsWork === true;
  return intent.kind === 'callback' && intent.matched?.callback.stopsWork === true;
}

/**
 * Whether a message in a group addresses the bot: an ephemeral message, a command (also another bot's), a reply to the bot, a mention, or a
 * caption that is a command about its picture or text. A forwarded message never does. A channel's post addresses its readers, unless it is
 * a command.
 */
export function namesBot(part: ParsedMessage, me: UserFromGetMe): boolean {
  const { message, command, mentionsBot } = part;
  if (ephemeralId(message) !== undefined) return true;
  if (part.isForwarded) return false;
  const isPost = message?.chat.type === 'channel';
  if (command?.isInCaption === false) return true;
  if (!isPost && repliedMessage(message)?.from?.id === me.id) return true;
  const isAboutIt = command?.command?.about?.includes(part.hasFile ? 'picture' : 'text');
  return isAboutIt === true || (!isPost && mentionsBot);
}

/** The messages of a request's updates, in the order of their album. */
export function albumOf<Ctx>(
  updates: readonly (ParsedUpdate | undefined)[],
  deps: ParserDeps<Ctx>,
): ParsedMessage<Ctx>[] {
  return updates
    .flatMap((one) => (one?.kind === 'request' && 'message' in one.update ? one.update.message : []))
    .sort((one, other) => one.message_id - other.message_id)
    .map((message) => parseMessage(message, deps));
}

/** What of a file's caption decides the answer: its command, or the pages and the language that it chooses. */
function decidingWords({ command, document, text, textWithoutMention }: ParsedMessage): string | undefined {
  if (command?.command !== undefined) return `/${command.command.name} ${command.payload}`;
  if (document === undefined) return readingLanguageIn(text);
  const { language, isInBoth, ranges, isForced, passwords } = documentWords(textWithoutMention);
  // Several words that mean nothing here are a sentence; one alone, bare and without its quotes, may be a password that an edit corrects.
  const password = passwords.length > 2 ? [] : passwords;
  return JSON.stringify([language, isInBoth, ranges, isForced, password]);
}

/**
 * A hash of everything that decides the answer to a message or an album. An edit that keeps it gets no new answer. Of the caption of a file
 * that is read, only the deciding words count; what is overheard is not read.
 */
export function digestOf(album: readonly ParsedMessage[], isOverheard: boolean): string {
  const isRead = !isOverheard && album.some(({ hasFile }) => hasFile);
  const parts = album.map((part) => [
    isRead ? decidingWords(part) : part.text,
    part.pictures.map(({ file_unique_id }) => file_unique_id),
    part.document?.file.file_unique_id,
  ]);
  return hash('sha256', JSON.stringify(parts), 'base64url');
}
