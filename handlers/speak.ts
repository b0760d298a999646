/** /speak: a text as a voice note, in a Tibetan dialect or in Chinese. */
import { parseReadingLanguage } from '../src/language/reading-language.ts';
import { dominantLanguage, type Language } from '../src/language/script.ts';
import { languageOf, parseVoice } from '../src/language/variety.ts';
import { parseVariety, takeVariety } from '../src/language/variety-names.ts';
import type { BotContext } from '../src/telegram/context.ts';
import { confirm, notice } from '../src/telegram/outbox/answer.ts';
import {
  type Callback,
  callbackDataIn,
  callbackMessage,
  noticeIfGone,
} from '../src/telegram/request/callback.ts';
import type { Command } from '../src/telegram/request/command.ts';
import { carryOut } from '../src/work/carry-out.ts';
import { textSource } from '../src/work/source.ts';
import { asWritten, toSpeak } from '../src/work/speak.ts';
import { sourcesOf, textOfCallback } from '../src/work/subject.ts';

/** The buttons under a text, one for each variety. They speak the text of their message, or the stored text that they name. */
const speakButton: Callback<BotContext> = {
  data: /^speak:(\w+)(?::(?<whole>[\w-]+))?$/,
  isAboutMessage: true,
  notice: noticeIfGone('callback-too-old'),
  handle: async (ctx, [, word = '', whole]) => {
    const message = callbackMessage(ctx);
    const variety = parseVariety(word);
    if (message === undefined || variety === undefined) return;
    const text = await textOfCallback(ctx, message, whole);
    // `notice` has told the sender.
    if (text === undefined) return;
    const written = asWritten(ctx, text, variety);
    await carryOut(ctx, [textSource(written, message.message_id)], () => toSpeak(variety));
    const language = dominantLanguage(written);
    const isOfPage = callbackDataIn(message).some((data) => /^(?:read|pages):/.test(data));
    if (isOfPage && language !== undefined && language !== languageOf(variety))
      await offerAlways(ctx, language);
  },
};

/** After this many translated pages that a person wanted to hear, the bot offers once to speak them always. */
const CHAINS = 2;

/** Counts the pages in this language that the person has translated and spoken with one press, where settings could save the press. */
export async function offerAlways(ctx: BotContext, language: Language): Promise<void> {
  const { session } = ctx;
  const isSpoken = session.photo === 'speak' || session.spoken;
  if (!ctx.isPrivate || isSpoken || session.chains >= CHAINS) return;
  session.chains += 1;
  if (session.chains < CHAINS) return;
  const button = { text: ctx.words('button-always'), callback_data: `always:speak:${language}` };
  const args = { language: ctx.words(`language-${language}`) };
  await notice(ctx, 'always-speak', { args, keyboard: [[button]] });
}

/** *Always at once*: photos are read in this language, translated and spoken. */
const alwaysButton: Callback<BotContext> = {
  data: /^always:speak(?::(\w+))?$/,
  handle: async (ctx, [, word = '']) => {
    ctx.session.photo = 'speak';
    ctx.session.reading = parseReadingLanguage(word) ?? ctx.session.reading;
    await confirm(ctx, 'always-speak-chosen');
  },
};

/** The button under a voice note: the same note at three quarters of the speed, without a paid call. */
const slowerButton: Callback<BotContext> = {
  data: /^slow:(\w+)$/,
  isAboutMessage: true,
  handle: async (ctx, [, word = '']) => {
    const message = callbackMessage(ctx);
    if (message === undefined) return;
    const voice = parseVoice(word);
    const asked = word === 'all' ? word : voice === undefined ? parseVariety(word) : 'chinese';
    const text = await textOfCallback(ctx, message, undefined);
    if (asked === undefined || text === undefined) return;
    await carryOut(ctx, [textSource(text, message.message_id)], () =>
      toSpeak(asked, { isSlow: true, voice }),
    );
  },
};

/** Speaks the text given, or that of the message replied to (a photo is read first), or the session's last one. */
export const speak: Command<BotContext> = {
  name: 'speak',
  menu: 'everybody',
  about: ['text', 'picture'],
  textIn: (payload) => takeVariety(payload).text,
  callbacks: [speakButton, slowerButton, alwaysButton],
  handle: async (ctx, payload) => {
    const { variety, isSlow, text } = takeVariety(payload);
    const sources = await sourcesOf(ctx, text, ctx.session.reading);
    const last = textSource(asWritten(ctx, ctx.session.lastText ?? '', variety));
    await carryOut(ctx, sources.length > 0 ? sources : [last], () => toSpeak(variety, { isSlow }));
  },
};
