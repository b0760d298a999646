/** Photos, images sent as files, albums and documents without a command: applies the person's setting (spec §2, `photo`). */
import type { BotContext } from '../src/telegram/context.ts';
import { carryOut } from '../src/work/carry-out.ts';
import { filesIn } from '../src/work/files.ts';
import type { Source } from '../src/work/source.ts';
import { toSpeak } from '../src/work/speak.ts';
import { toTranslate } from '../src/work/translate.ts';
import { toRead, type Wish } from '../src/work/wish.ts';
import { noteCorrection } from './ocr.ts';

export async function sentFiles(ctx: BotContext): Promise<void> {
  const { reading } = ctx.session;
  const sources = filesIn(ctx, ctx.album, reading);
  const isFound = await carryOut(ctx, sources, bySetting(ctx));
  const [{ languages } = {}] = sources;
  const [named = reading, both] = languages ?? [];
  // The caption named the language.
  if (isFound && named !== reading && both === undefined) await noteCorrection(ctx, named);
}

/** The wish that the person has set for files; a text file, which needs no reading, is at least translated. */
export function bySetting({ session }: BotContext): (source: Source) => Wish {
  const { photo, target } = session;
  const then = photo === 'speak' ? toSpeak(undefined) : undefined;
  const translated = toTranslate(target, { isBySetting: true, then });
  return ({ form }) => (photo === 'read' && form !== 'text' ? toRead : translated);
}
