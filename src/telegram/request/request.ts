/** Builds a request from its updates: what Telegram sent, its intent, and its earlier answers. */
import { hash } from 'node:crypto';
import type { Message, MessageEntity, Update, UserFromGetMe } from 'telegraf/types';
import { documentWords } from '../../language/page-range.ts';
import { readingLanguageIn } from '../../language/reading-language.ts';
import type { RequestRow } from '../../queue/request-row.ts';
import type { ParserDeps } from './command.ts';
import { captionCommandOf, type Intent, intentOf, namesBot, repliedMessage } from './intent.ts';
import { hasFile, isPaste, type ParsedMessage, parseMessages } from './parsed-message.ts';

/**
 * What kind of edit it is. `none`: no edit; `idle`: it asks for nothing new, or its message was never answered; `latest`: of the person's
 * latest request; `afterthought`: of an earlier one; `withdrawn`: its message, which was answered, no longer addresses the bot
 * (addressed.ts).
 */
export type Edit = 'none' | 'idle' | 'latest' | 'afterthought' | 'withdrawn';

export interface Request<Ctx = never> {
  /** As Telegram sent them: one update, or all parts of an album. */
  readonly updates: readonly [Update, ...Update[]];
  /** The first of them, or the edited one. An edited message stands here as `message`, and is handled like any other. */
  readonly update: Update;
  /** All messages of its album, in album order, or its own message alone. */
  readonly album: readonly ParsedMessage<Ctx>[];
  /** Its own message, or the edited one. */
  readonly part: ParsedMessage<Ctx> | undefined;
  readonly intent: Intent<Ctx>;
  readonly edit: Exclude<Edit, 'withdrawn'>;
  /** Said in a group, but not to the bot: translated if the bot listens there; failures are not reported. */
  readonly isOverheard: boolean;
}

interface Earlier {
  /** See `RequestRow`. */
  readonly digest: RequestRow['digest'];
  /** Whether its lane has answered nothing since. */
  isLatest(): Promise<boolean>;
}

/** The request that these updates make. Throws `database` if the requests after an edited message cannot be read. */
export async function requestOf<Ctx>(
  updates: readonly [Update, ...Update[]],
  deps: ParserDeps<Ctx>,
  { digest: answered, isLatest }: Earlier,
): Promise<Request<Ctx>> {
  const edited = updates.find((update) => 'edited_message' in update);
  const update = asMessage(edited ?? updates[0]);
  const album = albumOf(
    updates.map((one) => (one === edited ? update : asMessage(one))),
    deps,
  );
  const message = 'message' in update ? update.message : undefined;
  const part = album.find((one) => one.message === message);
  const stated = intentOf(update, album, deps);
  const isOverheard =
    message !== undefined && stated.kind !== 'upgrade' && isUnaddressed(message, album, deps.me);
  if (message === undefined || edited === undefined || answered === undefined) {
    const intent = isOverheard ? unread(stated) : stated;
    return { updates, update, album, part, intent, edit: 'none', isOverheard };
  }

  // The stored parts of an answered album have lost their mentions: in an album the mention may be in a caption that was not edited.
  const isOverheardNow = isOverheard && (album.length === 1 || isPaste(album));
  const intent = isOverheardNow ? unread(stated) : stated;
  const request = { updates, update, album, part, intent, isOverheard: isOverheardNow };
  // The caption has lost its mention, but the bot has read the file already.
  const isStillRead = isOverheardNow && answered === digestOf({ album, isOverheard: false });
  // Telegram also reports link previews and reactions as edits.
  const isSame = isStillRead || answered === digestOf(request);
  const isNewest = await isLatest();
  // Ignore an edited command without a text if other requests followed: what it set may have been set again since.
  const isHistory = !isNewest && intent.kind === 'command' && !hasContent(message, intent);
  // An edit has only one of several documents, and the others are not stored: keep all answers as they are.
  const isOneOfSeveral = !isOverheardNow && 'media_group_id' in message && part?.document !== undefined;
  if (isSame || isHistory || isOneOfSeveral) return { ...request, edit: 'idle' };
  return { ...request, edit: isNewest ? 'latest' : 'afterthought' };
}

/** Only the caption of a file counts if nobody asked about the file (spec §2, Groups). */
function unread<Ctx>(intent: Intent<Ctx>): Intent<Ctx> {
  return intent.kind === 'pictures' || intent.kind === 'document' ? { kind: 'text' } : intent;
}

function asMessage(update: Update): Update {
  if (!('edited_message' in update)) return update;
  return { update_id: update.update_id, message: { ...update.edited_message, edit_date: undefined } };
}

function albumOf<Ctx>(updates: readonly Update[], deps: ParserDeps<Ctx>): ParsedMessage<Ctx>[] {
  return updates
    .flatMap((update) => ('message' in update ? [update.message] : []))
    .sort((one, other) => one.message_id - other.message_id)
    .flatMap((message) => parseMessages(message, deps));
}

function isUnaddressed({ chat }: Message, album: readonly ParsedMessage[], me: UserFromGetMe): boolean {
  return chat.type !== 'private' && !album.some((part) => namesBot(part, me));
}

/** Whether a command acts on a text or a picture (its own, or the one replied to), and so sets nothing. */
function hasContent(message: Message, { command, payload }: Intent & { kind: 'command' }): boolean {
  const about = command?.about ?? [];
  if (about.length === 0) return false;
  if (repliedMessage(message) !== undefined || 'external_reply' in message) return true;
  return about.includes('text') && (command?.textIn?.(payload) ?? payload) !== '';
}

/** The part of a file's caption that decides the answer: its command, or the language that it names, and a document's pages. */
function decidingWords(part: ParsedMessage): string | undefined {
  const command = captionCommandOf(part);
  if (command !== undefined) return `/${command.name} ${command.payload}`.trimEnd();
  if (part.document === undefined) return readingLanguageIn(part.text);
  const { language, isInBoth, ranges, isForced, passwords } = documentWords(part.textWithoutMention);
  return JSON.stringify([language, isInBoth, ranges, isForced, passwords]);
}

/**
 * What a later edit of another part of an album, or of another piece of a split text, needs of this update; undefined for other updates,
 * and if its pictures were not read.
 */
export function keptPart(update: Update, { album, isOverheard }: DigestInput): object | undefined {
  const own = asMessage(update);
  const id = 'message' in own ? own.message.message_id : undefined;
  const part = album.find(({ message }) => message?.message_id === id);
  if (part?.message !== undefined && 'text' in part.message && isPaste(album)) {
    const { message_id, date, chat, from, text, entities } = part.message;
    return { update_id: own.update_id, message: { message_id, date, chat, from, text, entities } };
  }
  if (part?.message === undefined || part.picture === undefined || album.length < 2 || isOverheard)
    return undefined;
  const { message_id, date, chat, from } = part.message;
  const { file_id, file_unique_id } = part.picture;
  const photo = [{ file_id, file_unique_id, width: 0, height: 0 }];
  const caption = decidingWords(part);
  const words = caption === undefined ? {} : { caption, caption_entities: markedIn(caption) };
  return { update_id: own.update_id, message: { message_id, date, chat, from, photo, ...words } };
}

function markedIn(caption: string): MessageEntity[] {
  const [command] = /^\/\S+/.exec(caption) ?? [];
  return command === undefined ? [] : [{ type: 'bot_command', offset: 0, length: command.length }];
}

interface DigestInput {
  readonly album: readonly ParsedMessage[];
  /** The files are not read: only their captions count. */
  readonly isOverheard: boolean;
}

/**
 * A hash of everything that decides the answer to a message or an album. An edit that keeps it gets no new answer. Of the caption of a file
 * that is read, only the deciding words count.
 */
export function digestOf({ album, isOverheard }: DigestInput): string {
  const pictures = album.map(({ picture }) => picture?.file_unique_id);
  const documents = album.flatMap(({ document }) => document?.file.file_unique_id ?? []);
  const isRead = !isOverheard && album.some(hasFile);
  const texts = album.map(({ text }) => text);
  const words = isRead ? album.map(decidingWords) : texts.length > 1 ? texts : texts[0];
  return hash('sha256', JSON.stringify([words, pictures, ...documents]), 'base64url');
}

/** As `digestOf`, for updates that are not parsed yet. */
export function digestOfUpdates(updates: readonly Update[], isOverheard: boolean, deps: ParserDeps): string {
  return digestOf({ album: albumOf(updates.map(asMessage), deps), isOverheard });
}
