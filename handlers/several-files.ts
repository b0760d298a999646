/** Files that one request is about: how many paid calls all of them take, which is asked about before the first (spec §2). */
import { LANGUAGES, type Language } from '../src/language/script.ts';
import type { CallKind } from '../src/paid-calls.ts';
import { throwIfCancelled } from '../src/patience.ts';
import type { BotContext } from '../src/telegram/context.ts';
import {
  type DocumentToRead,
  loadable,
  loadText,
  type PicturesToRead,
} from '../src/telegram/request/sent-file.ts';

/** What is wanted of files, as paid calls. */
export interface Wanted {
  /** The calls that the text of a file takes, once it is known. */
  readonly ofText: (text: string) => Promise<readonly CallKind[]>;
  /** Those that follow at least where a picture or a page is yet to be read. */
  readonly atLeast: readonly CallKind[];
  /** Pictures are read in both languages. */
  readonly isInBoth?: boolean;
}

/** Pictures, which are read as one, or a document. */
export type FileToRead =
  | ({ readonly kind: 'pictures' } & PicturesToRead)
  | ({ readonly kind: 'document' } & DocumentToRead);

/** Throws `costly`, or `limit-…`, if the files take more calls than the person has agreed to. A single one asks by itself. */
export async function askAboutSeveral(
  ctx: BotContext,
  subjects: readonly (FileToRead | { readonly kind: 'text' })[],
  wanted: Wanted,
): Promise<void> {
  // A text never comes with others.
  const files = subjects.filter((subject) => subject.kind !== 'text');
  if (files.length < 2) return;
  const calls: CallKind[] = [];
  for (const file of files) {
    // A file that cannot be opened now takes none; its own turn tells why.
    const own = await callsOf(ctx, file, wanted).catch(() => []);
    throwIfCancelled(ctx.signal);
    calls.push(...own);
  }
  await ctx.bot.interpreter.mustBeAgreed(ctx.asker, calls);
}

async function callsOf(ctx: BotContext, file: FileToRead, wanted: Wanted): Promise<readonly CallKind[]> {
  const { bot, signal, asker } = ctx;
  const { interpreter, api } = bot;
  if (file.kind === 'document' && file.document.kind === 'text')
    return wanted.ofText(await loadText(api, file.document.file, signal));
  const languages = (file.kind === 'pictures' ? wanted.isInBoth : file.isInBoth)
    ? LANGUAGES
    : [file.language];
  const reading =
    file.kind === 'pictures'
      ? await unread(ctx, file, languages)
      : await interpreter.unpaidPages(loadable(api, file.document.file), file.ranges, languages, {
          asker,
          signal,
        });
  return reading.length === 0 ? [] : [...reading, ...wanted.atLeast];
}

async function unread(
  { bot }: BotContext,
  { pictures }: PicturesToRead,
  languages: readonly Language[],
): Promise<CallKind[]> {
  const pages = pictures.flatMap(({ picture }) => languages.map((language) => ({ picture, language })));
  const kept = await Promise.all(
    pages.map(({ picture, language }) => bot.interpreter.isRecognised(picture, language)),
  );
  return kept.filter((isKept) => !isKept).map(() => 'recognition');
}
