/** The text of an ability that costs nothing: bounded, since no limit of paid calls keeps anybody from asking for more. */
import type { BotContext } from '../src/telegram/context.ts';
import { notice } from '../src/telegram/outbox/answer.ts';
import { numbered, readingsOf } from '../src/telegram/request/additions.ts';
import { loadText, type SentDocument } from '../src/telegram/request/sent-file.ts';
import { repliedTo, type SourceText } from '../src/telegram/request/subject.ts';

/** UTF-16 units: some twenty pages. Their phonetics take a second. */
const MOST_LETTERS = 50_000;
/** The longest encoding of a unit: Tibetan in GB18030. */
const MOST_BYTES_PER_LETTER = 4;

/**
 * The text for a command that costs nothing: the one given, or that of the message or text files replied to. For a picture, the text that
 * was read in it in Tibetan before, else its caption. Undefined if it has neither, or more than `MOST_LETTERS`; then the person has been
 * told.
 */
export async function freeText(ctx: BotContext, given: string): Promise<SourceText | undefined> {
  const source = await sourceOf(ctx, given);
  if (source === undefined || source.text.length <= MOST_LETTERS) return source;
  return sayTooLong(ctx, source.replyTo);
}

async function sayTooLong(ctx: BotContext, replyTo: number | undefined): Promise<undefined> {
  await notice(ctx, 'free-too-long', { args: { most: MOST_LETTERS }, replyTo });
}

async function sourceOf(ctx: BotContext, given: string): Promise<SourceText | undefined> {
  const replied = given === '' ? await repliedTo(ctx) : undefined;
  if (replied === undefined) return { text: given };
  const { pictures, documents, text: caption, id: replyTo } = replied;
  const { asker, bot, signal } = ctx;
  const files = documents.flatMap(({ document }) => (document.kind === 'text' ? [document] : []));
  if (files.length > 0) {
    if (bytesOf(files) > MOST_LETTERS * MOST_BYTES_PER_LETTER) return sayTooLong(ctx, replyTo);
    const texts = await Promise.all(files.map(({ file }) => loadText(bot.api, file, signal)));
    return { text: texts.join('\n\n'), replyTo };
  }
  const { interpreter } = bot;
  const known = await Promise.all(
    pictures.map(({ picture }) => interpreter.isRecognised(picture, 'tibetan')),
  );
  const areRead = known.every(Boolean);
  if (!areRead && caption === '') {
    await notice(ctx, 'picture-unread', { replyTo });
    return undefined;
  }
  if (pictures.length === 0 || !areRead) return { text: caption, replyTo };
  const texts = await Promise.all(
    pictures.map(({ picture }) => interpreter.recognise(picture, 'tibetan', { asker, signal })),
  );
  return { text: numbered(await readingsOf(ctx, texts)) || caption, replyTo };
}

/** As far as Telegram tells. */
function bytesOf(documents: readonly SentDocument[]): number {
  return documents.reduce((sum, { file }) => sum + (file.file_size ?? 0), 0);
}
