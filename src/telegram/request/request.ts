/** One request on its way to a handler: what Telegram sent, what is asked by it, and what answered it before. */
import { createHash } from 'node:crypto';
import type { Message, MessageEntity, Update, UserFromGetMe } from 'telegraf/types';
import { readingLanguageIn } from '../../language/reading-language.ts';
import type { AlbumPicture, AnswerPart, GivenAnswers } from '../../store/kept/answers.ts';
import { type ReplacedMessages, repetitionOf } from '../intake/parked-requests.ts';
import { type Asked, askedBy, askedByMessage, namesBot, repliedMessage } from './asked.ts';
import { captionCommandIn, type Known } from './command.ts';
import { documentIn, pictureFileIn } from './sent-file.ts';
import { textIn } from './text-in.ts';

/**
 * What an update is to the answer that its message has: none where it is no edit; `idle` where the edit asks for nothing new, or what it
 * edits was never answered; `afterthought` where the person has asked for other things since; `withdrawn` where what was answered asks
 * the bot for nothing any more (addressed.ts).
 */
export type Edit = 'none' | 'idle' | 'latest' | 'afterthought' | 'withdrawn';

export interface Request<Ctx = never> {
  /** As Telegram sent it: one update, or all parts of an album. */
  readonly updates: readonly [Update, ...Update[]];
  /** The first of them; an edited message is handled like any other, as `message`. */
  readonly update: Update;
  /**
   * The messages of the album that it began or belongs to, in album order; just its own message outside albums. An edit brings only one
   * of them: the others come from what was kept.
   */
  readonly album: readonly Message[];
  readonly asked: Asked<Ctx>;
  readonly edit: Exclude<Edit, 'withdrawn'>;
  /** Said in a group, to no one in particular: translated where the bot listens, and a failure is not told. */
  readonly isOverheard: boolean;
  /** The messages whose place the answer takes. */
  readonly former: readonly AnswerPart[];
  /** Paid calls that its person has agreed to. */
  readonly agreedCalls: number;
}

/** The request that these updates make. Throws `database` where it cannot be known what an edit edits. */
export async function requestOf<Ctx>(
  updates: readonly [Update, ...Update[]],
  known: Known<Ctx>,
  answers: Pick<GivenAnswers, 'find'>,
): Promise<Request<Ctx>> {
  const update = asMessage(updates[0]);
  const message = 'message' in update ? update.message : undefined;
  const { isRepeated, takesPlaceOf, agreedCalls } = repetitionOf(updates[0]);
  if (message === undefined || !('edited_message' in updates[0])) {
    const album = albumOf(updates);
    const told = askedBy(update, album, known);
    const isOverheard =
      message !== undefined && told.kind !== 'upgrade' && isSaidToNobody(message, album, known);
    const asked = isOverheard ? unread(told) : told;
    const former = failureIn(takesPlaceOf, update);
    return { updates, update, album, asked, edit: 'none', isOverheard, former, agreedCalls };
  }

  const given = await answers.find(message.chat.id, message.message_id);
  const album = albumAfter(message, given?.album ?? []);
  const told = askedByMessage(message, album, known);
  // Of an album that was answered, one message came back edited: the mention may stand under another.
  const isOverheard = album.length === 1 && isSaidToNobody(message, album, known);
  const asked = isOverheard ? unread(told) : told;
  const request = { updates, update, album, asked, isOverheard, agreedCalls };
  // Telegram tells of link previews and reactions as edits, too.
  const isAsked = (content: string): boolean => given?.asked === content && !isRepeated;
  // Of a picture that was read when its caption still mentioned the bot nothing has changed.
  const isStillRead = isOverheard && isAsked(contentOf({ album, isOverheard: false }, known.me));
  const isSame = isStillRead || isAsked(contentOf(request, known.me));
  // A command that others followed is history, unless it has a text of its own: what it set has been set anew since.
  const isHistory = given?.isLatest === false && asked.kind === 'command' && !hasContent(message, asked);
  if (given === undefined || isSame || isHistory) return { ...request, edit: 'idle', former: [] };
  return { ...request, edit: given.isLatest ? 'latest' : 'afterthought', former: given.parts };
}

/** Of a picture that nobody asked about just the caption is meant (spec §2, Groups). */
function unread<Ctx>(asked: Asked<Ctx>): Asked<Ctx> {
  return asked.kind === 'pictures' ? { kind: 'text' } : asked;
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

function isSaidToNobody(message: Message, album: readonly Message[], known: Known): boolean {
  return message.chat.type !== 'private' && ![message, ...album].some((part) => namesBot(part, known));
}

/** What failed and is tried again has its answer in place of the message that said so, and of what was sent before that. */
function failureIn(place: ReplacedMessages | undefined, update: Update): AnswerPart[] {
  const { message } = 'callback_query' in update ? update.callback_query : 'message' in update ? update : {};
  const chat = 'my_chat_member' in update ? update.my_chat_member.chat : message?.chat;
  if (place === undefined || place.chat !== chat?.id) return [];
  return [...place.earlier, place.message].map((id) => ({ id, kind: 'text' }));
}

/** Whether a command is about a text or a picture, be it its own or the one replied to, and so sets nothing. */
function hasContent(message: Message, { command, payload }: Asked & { kind: 'command' }): boolean {
  const about = command?.about ?? [];
  if (about.length === 0) return false;
  if (repliedMessage(message) !== undefined || 'external_reply' in message) return true;
  return about.includes('text') && (command?.textIn?.(payload) ?? payload) !== '';
}

/** What a picture's caption says as far as it decides the answer: a command, else the language that it names. */
function decidingWords(message: Message, me: UserFromGetMe): string | undefined {
  const command = captionCommandIn(message, me);
  return command === undefined
    ? readingLanguageIn(textIn(message))
    : `/${command.name} ${command.payload}`.trimEnd();
}

/** What is kept of an album; empty for what is none, and where its pictures were not read. */
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

/** The messages of kept pictures, as Telegram might have sent them. */
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

/** The album as it is after the edit, in album order. */
function albumAfter(edited: Message, kept: readonly AlbumPicture[]): Message[] {
  const others = kept.filter(({ message }) => message !== edited.message_id);
  return [edited, ...messagesOf(others, edited)].sort((one, other) => one.message_id - other.message_id);
}

interface Asking {
  readonly album: readonly Message[];
  /** Nobody asked to have pictures read: their captions are meant. */
  readonly isOverheard: boolean;
}

/**
 * A hash of all that decides the answer to a message, or to its album: an edit that leaves it as it was is no reason to answer anew. Of
 * the caption of a picture that is read only its command counts, or the language that it names.
 */
export function contentOf({ album, isOverheard }: Asking, me: UserFromGetMe): string {
  const pictures = album.map((part) => pictureFileIn(part)?.file_unique_id);
  const documents = album.flatMap((part) => documentIn(part)?.file.file_unique_id ?? []);
  const isRead = !isOverheard && pictures.some((picture) => picture !== undefined);
  const texts = album.map(textIn);
  const words = isRead ? album.map((part) => decidingWords(part, me)) : texts.length > 1 ? texts : texts[0];
  return createHash('sha256')
    .update(JSON.stringify([words, pictures, ...documents]))
    .digest('base64url');
}
