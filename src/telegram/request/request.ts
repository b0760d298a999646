/** Makes a request out of updates: what Telegram sent, what it asks for, and its earlier answers. */
import { hash } from 'node:crypto';
import type { Message, MessageEntity, Update, UserFromGetMe } from 'telegraf/types';
import { documentWords } from '../../language/page-range.ts';
import { readingLanguageIn } from '../../language/reading-language.ts';
import type { AlbumPicture, AnswerPart, GivenAnswers } from '../../store/kept/answers.ts';
import { type ReplacedMessages, repetitionOf } from '../intake/parked-requests.ts';
import { type Asked, askedBy, askedByMessage, namesBot, repliedMessage } from './asked.ts';
import { captionCommandIn, type Known } from './command.ts';
import { documentIn, hasFileToRead, pictureFileIn } from './sent-file.ts';
import { textIn, textWithoutMention } from './text-in.ts';

/**
 * What kind of edit it is. `none`: no edit; `idle`: it asks for nothing new, or its message was never answered; `latest`: of the person's
 * latest request; `afterthought`: the person has asked for other things since; `withdrawn`: its message, which was answered, no longer
 * asks the bot for anything (addressed.ts).
 */
export type Edit = 'none' | 'idle' | 'latest' | 'afterthought' | 'withdrawn';

export interface Request<Ctx = never> {
  /** As Telegram sent them: one update, or all parts of an album. */
  readonly updates: readonly [Update, ...Update[]];
  /** The first of them. An edited message stands here as `message`, and is handled like any other. */
  readonly update: Update;
  /**
   * All messages of its album, in album order, or its own message alone. An edit brings only one of them; the others come from the
   * database.
   */
  readonly album: readonly Message[];
  readonly asked: Asked<Ctx>;
  readonly edit: Exclude<Edit, 'withdrawn'>;
  /** Said in a group and not to the bot: translated if the bot listens there; the person is not told of failures. */
  readonly isOverheard: boolean;
  /** The messages that the answer replaces. */
  readonly former: readonly AnswerPart[];
  /** The number of paid calls that the person has agreed to. */
  readonly agreedCalls: number;
  /** The answers that it gave before it asked for that, by their ids as in `ConfirmedAnswers`. */
  readonly givenAnswers: readonly number[];
}

/** The request that these updates make. Throws `database` if the earlier answers to an edited message cannot be read. */
export async function requestOf<Ctx>(
  updates: readonly [Update, ...Update[]],
  known: Known<Ctx>,
  answers: Pick<GivenAnswers, 'find'>,
): Promise<Request<Ctx>> {
  const update = asMessage(updates[0]);
  const message = 'message' in update ? update.message : undefined;
  const { isRepeated, takesPlaceOf, agreedCalls, givenAnswers } = repetitionOf(updates[0]);
  if (message === undefined || !('edited_message' in updates[0])) {
    const album = albumOf(updates);
    const told = askedBy(update, album, known);
    // A repeated request was said to the bot; one photo of an album, repeated alone, no longer has the words that said so.
    const isOverheard =
      message !== undefined &&
      !isRepeated &&
      told.kind !== 'upgrade' &&
      isSaidToNobody(message, album, known);
    const asked = isOverheard ? unread(told) : told;
    const former = failureIn(takesPlaceOf, update, givenAnswers);
    return { updates, update, album, asked, edit: 'none', isOverheard, former, agreedCalls, givenAnswers };
  }

  const given = await answers.find(message.chat.id, message.message_id);
  const album = albumAfter(message, given?.album ?? []);
  const told = askedByMessage(message, album, known);
  // In an album the mention may stand in another caption than the edited one.
  const isOverheard = album.length === 1 && isSaidToNobody(message, album, known);
  const asked = isOverheard ? unread(told) : told;
  const request = { updates, update, album, asked, isOverheard, agreedCalls, givenAnswers };
  // Telegram also reports link previews and reactions as edits.
  const isAsked = (content: string): boolean => given?.asked === content && !isRepeated;
  // The mention is gone from the caption, but the file is still the one that was read.
  const isStillRead = isOverheard && isAsked(contentOf({ album, isOverheard: false }, known.me));
  const isSame = isStillRead || isAsked(contentOf(request, known.me));
  // An old command is history if other requests followed, unless it has a text: what it set may have been set anew since.
  const isHistory = given?.isLatest === false && asked.kind === 'command' && !hasContent(message, asked);
  // An edit brings one of several documents, and the others are not kept: the answers to all stay as they are.
  const isOneOfSeveral = !isOverheard && 'media_group_id' in message && documentIn(message) !== undefined;
  if (given === undefined || isSame || isHistory || isOneOfSeveral)
    return { ...request, edit: 'idle', former: [] };
  return { ...request, edit: given.isLatest ? 'latest' : 'afterthought', former: given.parts };
}

/** Of a file that nobody asked about, only the caption counts (spec §2, Groups). */
function unread<Ctx>(asked: Asked<Ctx>): Asked<Ctx> {
  return asked.kind === 'pictures' || asked.kind === 'document' ? { kind: 'text' } : asked;
}

function asMessage(update: Update): Update {
  if (!('edited_message' in update)) return update;
  return { update_id: update.update_id, message: { ...update.edited_message, edit_date: undefined } };
}

function albumOf(updates: readonly Update[]): Message[] {
  return updates
    .flatMap((update) => ('message' in update ? [update.message] : []))
    .sort((one, other) => one.message_id - other.message_id);
}

function isSaidToNobody({ chat }: Message, album: readonly Message[], known: Known): boolean {
  return chat.type !== 'private' && !album.some((part) => namesBot(part, known));
}

/**
 * The answer to a repeated request replaces the message of its failure, and the messages sent before that one; it replaces a question,
 * which stands after the answers already `given`.
 */
function failureIn(
  place: ReplacedMessages | undefined,
  update: Update,
  given: readonly number[],
): AnswerPart[] {
  const { message } = 'callback_query' in update ? update.callback_query : 'message' in update ? update : {};
  const chat = 'my_chat_member' in update ? update.my_chat_member.chat : message?.chat;
  if (place === undefined || place.chat !== chat?.id) return [];
  return [...given.map(Math.abs), ...place.earlier, place.message].map((id) => ({ id, kind: 'text' }));
}

/** Whether a command is about a text or a picture (its own, or the one replied to), and so sets nothing. */
function hasContent(message: Message, { command, payload }: Asked & { kind: 'command' }): boolean {
  const about = command?.about ?? [];
  if (about.length === 0) return false;
  if (repliedMessage(message) !== undefined || 'external_reply' in message) return true;
  return about.includes('text') && (command?.textIn?.(payload) ?? payload) !== '';
}

/** The part of a file's caption that decides the answer: its command, or the language that it names, and a document's pages. */
function decidingWords(message: Message, me: UserFromGetMe): string | undefined {
  const command = captionCommandIn(message, me);
  if (command !== undefined) return `/${command.name} ${command.payload}`.trimEnd();
  if (documentIn(message) === undefined) return readingLanguageIn(textIn(message));
  const { language, isInBoth, ranges } = documentWords(textWithoutMention(message, me));
  return JSON.stringify([language, isInBoth, ranges]);
}

/** The pictures of an album, to be kept; empty outside albums, and if they were not read. */
export function picturesOf({ album, isOverheard }: Asking, me: UserFromGetMe): AlbumPicture[] {
  if (album.length < 2 || isOverheard) return [];
  return album.flatMap((message): AlbumPicture[] => {
    const file = pictureFileIn(message);
    if (file === undefined) return [];
    const caption = decidingWords(message, me);
    const picture = { message: message.message_id, fileId: file.file_id, uniqueId: file.file_unique_id };
    return [{ ...picture, ...(caption && { caption }) }];
  });
}

/** Makes messages of kept pictures, as Telegram might have sent them. */
export function messagesOf(
  pictures: readonly AlbumPicture[],
  { date, chat, from }: Pick<Message, 'date' | 'chat' | 'from'>,
): Message[] {
  return pictures.map(({ message, fileId, uniqueId, caption }): Message.PhotoMessage => {
    const size = { file_id: fileId, file_unique_id: uniqueId, width: 0, height: 0 };
    const words = caption === undefined ? {} : { caption, caption_entities: commandIn(caption) };
    return { message_id: message, date, chat, from, photo: [size], ...words };
  });
}

function commandIn(caption: string): MessageEntity[] {
  const [command] = /^\/\S+/.exec(caption) ?? [];
  return command === undefined ? [] : [{ type: 'bot_command', offset: 0, length: command.length }];
}

/** The album after the edit, in album order. */
function albumAfter(edited: Message, kept: readonly AlbumPicture[]): Message[] {
  const others = kept.filter(({ message }) => message !== edited.message_id);
  return [edited, ...messagesOf(others, edited)].sort((one, other) => one.message_id - other.message_id);
}

interface Asking {
  readonly album: readonly Message[];
  /** Nobody asked to have the files read: only their captions count. */
  readonly isOverheard: boolean;
}

/**
 * A hash of everything that decides the answer to a message or an album. An edit that does not change it is not answered anew. Of the
 * caption of a file that is read, only the deciding words count.
 */
export function contentOf({ album, isOverheard }: Asking, me: UserFromGetMe): string {
  const pictures = album.map((part) => pictureFileIn(part)?.file_unique_id);
  const documents = album.flatMap((part) => documentIn(part)?.file.file_unique_id ?? []);
  const isRead = !isOverheard && album.some(hasFileToRead);
  const texts = album.map(textIn);
  const words = isRead ? album.map((part) => decidingWords(part, me)) : texts.length > 1 ? texts : texts[0];
  return hash('sha256', JSON.stringify([words, pictures, ...documents]), 'base64url');
}
