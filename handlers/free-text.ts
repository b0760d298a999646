/** Commands that make no paid call. Their text is bounded here, since the limits of paid calls do not apply. */
import type { BotContext } from '../src/telegram/context.ts';
import { notice } from '../src/telegram/outbox/answer.ts';
import type { Command } from '../src/telegram/request/command.ts';
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
async function freeText(ctx: BotContext, given: string): Promise<FreeText | undefined> {
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

/**
 * The command of this name: takes the text given, or that of the message replied to (or of its picture, if that was read before). Its button
 * under a Tibetan text does the same with that text, or the stored text that the button names.
 */
export function freeCommand(
  name: string,
  write: (ctx: BotContext, text: FreeText) => Promise<void>,
): Command<BotContext> {
  const button = textButton(name, async (ctx, { text, message: { message_id: replyTo } }) => {
    if (await isShort(ctx, text, replyTo)) await write(ctx, { text, replyTo });
  });
  return {
    name,
    menu: 'everybody',
    about: ['text', 'picture'],
    callbacks: [button],
    handle: async (ctx, given) => {
      const asked = await freeText(ctx, given);
      if (asked !== undefined) await write(ctx, asked);
    },
  };
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
