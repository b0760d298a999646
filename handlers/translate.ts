/** /tibetan, /chinese, /auto and /translate, and the buttons that translate. */
import { parseReadingLanguage } from '../src/language/reading-language.ts';
import { otherLanguage } from '../src/language/script.ts';
import type { BotContext } from '../src/telegram/context.ts';
import { changeButtons, notice } from '../src/telegram/reply/answer.ts';
import { captionOf, markup, textButtons } from '../src/telegram/reply/buttons.ts';
import type { Callback } from '../src/telegram/request/callback.ts';
import type { Command } from '../src/telegram/request/command.ts';
import { parseMessage, repliedMessage } from '../src/telegram/request/parsed-message.ts';
import { carryOut } from '../src/work/carry-out.ts';
import { type Source, textSource } from '../src/work/source.ts';
import { sourcesOf } from '../src/work/subject.ts';
import { type Target, toTranslate } from '../src/work/translate.ts';
import { textButton } from './text-button.ts';

export const tibetan = translateInto('tibetan');
export const chinese = translateInto('chinese');
export const auto = translateInto('auto');

/**
 * Translates the text given, that of the message replied to, or the last. It can name a language: a picture's own, or a text's target.
 */
export const translate: Command<BotContext> = {
  name: 'translate',
  menu: 'groups',
  about: ['text', 'picture'],
  handle: async (ctx, given) => {
    const { reading } = ctx.session;
    const named = parseReadingLanguage(given);
    const sources = await sourcesOf(ctx, given, reading);
    if (named === undefined || sources.some(({ form }) => form !== 'text')) {
      return translateOrLast(ctx, sources, 'auto');
    }
    await translateOrLast(ctx, await sourcesOf(ctx, '', otherLanguage(named)), named);
  },
};

async function translateOrLast(ctx: BotContext, sources: readonly Source[], target: Target): Promise<void> {
  const { lastText = '', lastOriginal } = ctx.session;
  const last = lastOriginal?.translation === lastText ? lastOriginal.text : lastText;
  if (sources.length === 0 && last === '') return notice(ctx, 'nothing-to-translate');
  await carryOut(ctx, sources.length > 0 ? sources : [textSource(last)], () => toTranslate(target));
}

/** The command of this name: with a text, or as a reply, translates just that; alone, sets the target. */
function translateInto(target: Target): Command<BotContext> {
  return {
    name: target,
    about: ['text', 'picture'],
    handle: async (ctx, given) => {
      // Read a picture in the language to translate from, unless a caption names another.
      const from = target === 'auto' ? ctx.session.reading : otherLanguage(target);
      const sources = await sourcesOf(ctx, given, from);
      if (sources.length > 0) {
        await carryOut(ctx, sources, () => toTranslate(target));
        return;
      }
      ctx.session.target = target;
      await notice(ctx, `target-${target}`);
    },
  };
}

async function translateText(ctx: BotContext, source: Source): Promise<void> {
  await carryOut(ctx, [source], () => toTranslate('auto'));
}

export const translateButton = textButton('translate', (ctx, { text, message, document }) =>
  translateText(ctx, textSource(text, message.message_id, document)),
);

/** "Translate caption": translates the caption of the picture that the button's message replies to. */
export const captionButton: Callback<BotContext> = {
  data: /^caption$/,
  isAboutMessage: true,
  notice: async (_match, _stores, message) =>
    'reply_to_message' in message ? undefined : { id: 'photo-gone', isAlert: true },
  handle: async (ctx) => {
    const picture = repliedMessage(ctx.pressed);
    // `notice` has told the sender that the picture is gone.
    if (picture === undefined) return;
    const replyTo = picture.message_id;
    const text = captionOf(parseMessage(picture, ctx.bot));
    if (text === undefined) return notice(ctx, 'neither-script', { replyTo });
    await translateText(ctx, textSource(text, replyTo));
  },
};

/** "More" under a translation in a group that the bot listens to: shows the buttons that other translations have from the start. */
export const more = textButton('more', (ctx, { text, whole }) =>
  changeButtons(ctx, markup(textButtons(ctx, { isTranslation: true })(text, whole))),
);
