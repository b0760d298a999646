/** Builds a request from its updates: what Telegram sent, its intent, and its earlier answers. */
import { hash } from 'node:crypto';
import type { Update } from 'telegraf/types';
import { documentWords } from '../../language/page-range.ts';
import { readingLanguageIn } from '../../language/reading-language.ts';
import type { ParserDeps } from './command.ts';
import { type Intent, intentOf, namesBot } from './intent.ts';
import { hasFile, type ParsedMessage, parseMessages } from './parsed-message.ts';

export interface Request<Ctx = never> {
  /** Its update; of an album, the first. */
  readonly update: Update;
  /** All messages of its album, in album order, or its own message alone. */
  readonly album: readonly ParsedMessage<Ctx>[];
  readonly intent: Intent<Ctx>;
  /** `none`: no edit; `idle`: it asks for nothing new; `changed`: it asks for something else. */
  readonly edit: 'none' | 'idle' | 'changed';
  /** Said in a group, but not to the bot: translated if the bot listens there; failures are not reported. */
  readonly isOverheard: boolean;
}

/** The request that these updates make. `answered`: the digest of what was answered before an edit; undefined if nothing was. */
export function requestOf<Ctx>(
  updates: readonly [Update, ...Update[]],
  deps: ParserDeps<Ctx>,
  answered: string | undefined,
): Request<Ctx> {
  const [update] = updates;
  const album = albumOf(updates, deps);
  const stated = intentOf(update, album, deps);
  const isInGroup = 'message' in update && update.message.chat.type !== 'private';
  const isOverheard = isInGroup && stated.kind !== 'upgrade' && !album.some((one) => namesBot(one, deps.me));
  // Only the caption of a file counts if nobody asked about the file (spec §2, Groups).
  const intent = isOverheard && stated.kind === 'files' ? ({ kind: 'text' } as const) : stated;
  const request = { update, album, intent, isOverheard };
  if (answered === undefined) return { ...request, edit: 'none' };
  // Telegram also reports link previews and reactions as edits. A file whose caption has lost its mention has been read already.
  const isRead = answered === digestOf({ album, isOverheard: false });
  return { ...request, edit: isRead || answered === digestOf(request) ? 'idle' : 'changed' };
}

function albumOf<Ctx>(updates: readonly Update[], deps: ParserDeps<Ctx>): ParsedMessage<Ctx>[] {
  return updates
    .flatMap((update) => ('message' in update ? update.message : []))
    .sort((one, other) => one.message_id - other.message_id)
    .flatMap((message) => parseMessages(message, deps));
}

/** What of a file's caption decides the answer: its command, or the pages and the language that it chooses. */
function decidingWords({ command, document, text, textWithoutMention }: ParsedMessage): string | undefined {
  if (command?.command !== undefined) return `/${command.command.name} ${command.payload}`;
  if (document === undefined) return readingLanguageIn(text);
  const { language, isInBoth, ranges, isForced, passwords } = documentWords(textWithoutMention);
  return JSON.stringify([language, isInBoth, ranges, isForced, passwords]);
}

/**
 * A hash of everything that decides the answer to a message or an album. An edit that keeps it gets no new answer. Of the caption of a file
 * that is read, only the deciding words count; what is overheard is not read.
 */
export function digestOf({ album, isOverheard }: Pick<Request, 'album' | 'isOverheard'>): string {
  const isRead = !isOverheard && album.some(hasFile);
  const parts = album.map((part) => [
    isRead ? decidingWords(part) : part.text,
    part.picture?.file_unique_id,
    part.document?.file.file_unique_id,
  ]);
  return hash('sha256', JSON.stringify(parts), 'base64url');
}

/** As `digestOf`, for updates that are not parsed yet. */
export function digestOfUpdates(updates: readonly Update[], isOverheard: boolean, deps: ParserDeps): string {
  return digestOf({ album: albumOf(updates, deps), isOverheard });
}
