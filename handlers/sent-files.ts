/** Photos, images sent as files, albums and documents without a request of their own: what the person has set is done (spec §2, `photo`). */
import type { BotContext } from '../src/telegram/context.ts';
import { carryOut } from '../src/work/carry-out.ts';
import type { Source } from '../src/work/source.ts';
import { toSpeak } from '../src/work/speak.ts';
import { filesIn } from '../src/work/subject.ts';
import { toTranslate } from '../src/work/translate.ts';
import { toRead, type Wish } from '../src/work/wish.ts';

export async function sentFiles(ctx: BotContext): Promise<void> {
  await carryOut(ctx, filesIn(ctx, ctx.album, { usual: ctx.session.reading }), bySetting(ctx));
}

/** What the person has set for files; a text file, which needs no reading, is translated at least. */
export function bySetting({ session }: BotContext): (source: Source) => Wish {
  const { photo, target } = session;
  const then = photo === 'speak' ? toSpeak(undefined) : undefined;
  const translated = toTranslate(target, { isBySetting: true, then });
  return ({ needsNoReading }) => (photo === 'read' && needsNoReading === undefined ? toRead : translated);
}
