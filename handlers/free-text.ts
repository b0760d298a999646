/** The text of an ability that costs nothing: bounded, since no limit of paid calls keeps anybody from asking for more. */
import type { BotContext } from '../src/telegram/context.ts';
import { notice } from '../src/telegram/outbox/answer.ts';
import { read } from '../src/work/carry-out.ts';
import { type Source, textSource } from '../src/work/source.ts';
import { repliedTo, sourcesReplied } from '../src/work/subject.ts';

/** UTF-16 units: some twenty pages. Their phonetics take a second. */
const MOST_LETTERS = 50_000;

interface FreeText {
  readonly text: string;
  readonly replyTo?: number | undefined;
}

/**
 * The text for a command that costs nothing: the one given, or that of the message replied to, if all of its files can be read without a
 * paid call in Tibetan; else its caption. Undefined if it has neither, or more than `MOST_LETTERS`; then the person has been told.
 */
export async function freeText(ctx: BotContext, given: string): Promise<FreeText | undefined> {
  const replied = given === '' ? await repliedTo(ctx) : undefined;
  const sources = replied ? sourcesReplied(ctx, replied, { usual: 'tibetan' }) : [textSource(given)];
  const replyTo = replied?.id;
  const texts: string[] = [];
  for (const source of sources) texts.push(await textOf(ctx, source));
  const text = texts.filter((one) => one !== '').join('\n\n') || (replied?.text ?? '');
  if (text.length > MOST_LETTERS) {
    await notice(ctx, 'free-too-long', { args: { most: MOST_LETTERS }, replyTo });
    return undefined;
  }
  if (text === '' && sources.some(({ form }) => form !== 'text')) {
    await notice(ctx, 'picture-unread', { replyTo });
    return undefined;
  }
  return { text, replyTo };
}

/** Empty if its text would have to be paid for. */
async function textOf(ctx: BotContext, source: Source): Promise<string> {
  const unread = await source.unread(ctx, ['tibetan']);
  if (unread.length > 0) return '';
  const found = await read(ctx, source, ['tibetan'], {});
  return found?.[0]?.text ?? '';
}
