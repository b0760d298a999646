/** The text for a command that makes no paid call. It is bounded here, since the limits of paid calls do not apply. */
import type { BotContext } from '../src/telegram/context.ts';
import { notice } from '../src/telegram/outbox/answer.ts';
import type { Callback } from '../src/telegram/request/callback.ts';
import { read } from '../src/work/carry-out.ts';
import { type Source, textSource } from '../src/work/source.ts';
import { asWritten } from '../src/work/speak.ts';
import { repliedTo, sourcesReplied } from '../src/work/subject.ts';
import { textButton } from './text-button.ts';

/** UTF-16 units: some twenty pages. Their phonetics take a second. */
const MAX_LETTERS = 50_000;

export interface FreeText {
  readonly text: string;
  readonly replyTo?: number | undefined;
}

/**
 * The text for such a command: the one given, or that of the message replied to, if all of its files can be read in Tibetan without a paid
 * call; else its caption; without both, the session's last one. Undefined if it has none of these, or more than `MAX_LETTERS`; the person
 * has been told so.
 */
export async function freeText(ctx: BotContext, given: string): Promise<FreeText | undefined> {
  const replied = given === '' ? await repliedTo(ctx) : undefined;
  const { lastText = '', dialect } = ctx.session;
  const own = given === '' ? asWritten(ctx, lastText, dialect) : given;
  const sources = replied ? sourcesReplied(ctx, replied, { usual: 'tibetan' }) : [textSource(own)];
  const replyTo = replied?.id;
  const texts: string[] = [];
  for (const source of sources) texts.push(await textOfSource(ctx, source));
  const text = texts.filter((one) => one !== '').join('\n\n') || (replied?.text ?? '');
  if (!(await isShort(ctx, text, replyTo))) return undefined;
  if (text === '' && sources.some(({ form }) => form !== 'text')) {
    await notice(ctx, 'picture-unread', { replyTo });
    return undefined;
  }
  return { text, replyTo };
}

/** The button of this name under a Tibetan text: does what its command does, with that text or the stored text that the button names. */
export function freeButton(
  name: string,
  write: (ctx: BotContext, text: FreeText) => Promise<void>,
): Callback<BotContext> {
  return textButton(name, async (ctx, { text, message: { message_id: replyTo } }) => {
    if (await isShort(ctx, text, replyTo)) await write(ctx, { text, replyTo });
  });
}

/** Whether the text is within the limit; if not, tells the person. */
async function isShort(ctx: BotContext, text: string, replyTo: number | undefined): Promise<boolean> {
  if (text.length <= MAX_LETTERS) return true;
  await notice(ctx, 'free-too-long', { args: { most: MAX_LETTERS }, replyTo });
  return false;
}

/** The text of a source; empty if reading it takes a paid call. */
async function textOfSource(ctx: BotContext, source: Source): Promise<string> {
  const unread = await source.unread(ctx, ['tibetan']);
  if (unread.length > 0) return '';
  const found = await read(ctx, source, ['tibetan'], {});
  return found?.[0]?.text ?? '';
}
