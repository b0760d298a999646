/** A document: a PDF is read, and gets what its person has set (spec §2, `photo`); a text file is translated. */
import { documentWords } from '../src/language/page-range.ts';
import { dominantLanguage } from '../src/language/script.ts';
import { whileShowing } from '../src/telegram/answer/activity.ts';
import { captionOf } from '../src/telegram/answer/buttons.ts';
import type { BotContext } from '../src/telegram/context.ts';
import { documentIn } from '../src/telegram/request/sent-file.ts';
import { textWithoutMention } from '../src/telegram/request/text-in.ts';
import { type DocumentToRead, documentAsked, readDocument } from './pages.ts';
import { sayAloud } from './speak.ts';
import { translateDocument, translateDocumentOnTheWay } from './translation.ts';

/** Its caption chooses pages and language; several that were sent together are answered one after another. */
export async function document(ctx: BotContext): Promise<void> {
  for (const message of ctx.album) {
    const sent = documentIn(message);
    if (sent === undefined) continue;
    const words = textWithoutMention(message, ctx.botInfo);
    const asked = documentAsked({ document: sent, id: sent.message, text: '' }, words, ctx.session.reading);
    const isCaptioned = !documentWords(words).areUnderstood && captionOf(ctx, message) !== undefined;
    await tellDocument(ctx, { ...asked, isCaptioned });
  }
}

/** What its person has set for a document that nothing else is asked about. */
export async function tellDocument(ctx: BotContext, asked: DocumentToRead): Promise<void> {
  const { photo, target } = ctx.session;
  if (photo === 'read' && asked.document.kind === 'pdf') return readDocument(ctx, asked);
  if (photo !== 'speak') return translateDocument(ctx, asked, target);
  const { replyTo } = asked;
  await whileShowing(ctx, 'typing', async (activity) => {
    const found = await translateDocumentOnTheWay(ctx, asked, target, activity, ['speech']);
    if (found === undefined) return;
    if (dominantLanguage(found.reading) === undefined) return found.answer();
    const options = { variety: undefined, replyTo, answerBefore: found.answer };
    await sayAloud(ctx, found.reading, options, activity);
  });
}
