/**
 * /wylie turns Tibetan into Wylie (EWTS) and Wylie into Tibetan; /phonetics writes how Tibetan sounds, in Latin letters. Neither makes a
 * paid call. Their text is bounded here, since the limits of paid calls do not apply.
 */
import { toPhonetics } from '../src/language/phonetics.ts';
import { hasScript, isVisible } from '../src/language/script.ts';
import { byLines, fromWylie, tibetanIfWylie, toWylie } from '../src/language/wylie.ts';
import type { BotContext } from '../src/telegram/context.ts';
import { answer, notice } from '../src/telegram/reply/answer.ts';
import { copyButtons, textButtons } from '../src/telegram/reply/buttons.ts';
import type { Command } from '../src/telegram/request/command.ts';
import { read } from '../src/work/carry-out.ts';
import type { Source } from '../src/work/source.ts';
import { asWritten } from '../src/work/speak.ts';
import { repliedTo, sourcesReplied } from '../src/work/subject.ts';
import { textButton } from './text-button.ts';

/** UTF-16 units: some twenty pages. Their phonetics take a second. */
const MAX_LETTERS = 50_000;

const LATIN_LETTER = /[a-z]/iu;

/** If a text has any Tibetan, converts only that. */
export const wylie = spelling('wylie', async (ctx, text, replyTo) => {
  const options = { keyboard: textButtons(ctx), replyTo };
  if (text === '') return notice(ctx, 'wylie-how');
  if (hasScript(text, 'tibetan')) {
    // /speak speaks the Tibetan next: the Wylie cannot be spoken.
    ctx.session.lastText = text;
    return answer(ctx, await byLines(text, toWylie), options);
  }
  if (!LATIN_LETTER.test(text)) return notice(ctx, 'wylie-nothing');
  const tibetan = await byLines(text, fromWylie);
  // EWTS can escape any character, including invisible ones; Telegram refuses a message that has only those.
  if (!isVisible(tibetan)) return notice(ctx, 'wylie-nothing');
  ctx.session.lastText = tibetan;
  await answer(ctx, tibetan, options);
});

export const phonetics = spelling('phonetics', async (ctx, text, replyTo) => {
  if (text.trim() === '') return notice(ctx, 'phonetics-how', { replyTo });
  const tibetan = hasScript(text, 'tibetan') ? text : await tibetanIfWylie(text);
  if (tibetan === undefined) {
    const id = hasScript(text, 'chinese') ? 'phonetics-chinese' : 'phonetics-nothing';
    return notice(ctx, id, { replyTo });
  }
  ctx.session.lastText = tibetan;
  const sounds = await toPhonetics(tibetan);
  const keyboard = () => [copyButtons(ctx, sounds)];
  await answer(ctx, `${ctx.words('phonetics-heading')}\n${sounds}`, { keyboard, replyTo });
});

/**
 * Takes the text given, else that of the message replied to (its caption, if reading its files takes a paid call), else the session's
 * last one. The button takes the text that it is under, or the stored text that it names.
 */
function spelling(
  name: string,
  write: (ctx: BotContext, text: string, replyTo: number | undefined) => Promise<void>,
): Command<BotContext> {
  const spell = async (ctx: BotContext, text: string, replyTo?: number): Promise<void> => {
    if (text.length <= MAX_LETTERS) return write(ctx, text, replyTo);
    await notice(ctx, 'free-too-long', { args: { most: MAX_LETTERS }, replyTo });
  };
  return {
    name,
    menu: 'everybody',
    about: ['text', 'picture'],
    callbacks: [textButton(name, (ctx, { text, message }) => spell(ctx, text, message.message_id))],
    handle: async (ctx, given) => {
      const replied = given === '' ? await repliedTo(ctx) : undefined;
      const { lastText = '', dialect } = ctx.session;
      if (replied === undefined) return spell(ctx, given || asWritten(ctx, lastText, dialect));
      const sources = await sourcesReplied(ctx, replied, 'tibetan');
      const texts: string[] = [];
      // One after another: each may load a file.
      for (const source of sources) texts.push(await freeTextOf(ctx, source));
      const text = texts.filter((one) => one !== '').join('\n\n') || replied.text;
      if (text === '' && sources.some(({ form }) => form !== 'text'))
        return notice(ctx, 'picture-unread', { replyTo: replied.id });
      await spell(ctx, text, replied.id);
    },
  };
}

/** The text of a source; empty if reading it takes a paid call. */
async function freeTextOf(ctx: BotContext, source: Source): Promise<string> {
  const unread = await source.unread(ctx, ['tibetan']);
  if (unread.length > 0) return '';
  const { found } = await read(ctx, source, ['tibetan'], {});
  return found[0]?.text ?? '';
}
