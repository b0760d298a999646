/** /speak: a text as a voice note, in a Tibetan dialect or in Chinese. */
import { dominantLanguage, type Language } from '../src/language/script.ts';
import { languageOf, parseVariety, parseVoice, takeVariety } from '../src/language/variety.ts';
import type { BotContext } from '../src/telegram/context.ts';
import { confirm, notice } from '../src/telegram/reply/answer.ts';
import { changeSetting } from '../src/telegram/reply/settings.ts';
import { type Callback, callbackDataIn } from '../src/telegram/request/callback.ts';
import type { Command } from '../src/telegram/request/command.ts';
import { carryOut } from '../src/work/carry-out.ts';
import { textSource } from '../src/work/source.ts';
import { asWritten, toSpeak } from '../src/work/speak.ts';
import { sourcesOf } from '../src/work/subject.ts';
import { textButton } from './text-button.ts';

/** The buttons under a text, one for each variety. They speak the text of their message, or the stored text that they name. */
const speakButton = textButton(
  'speak',
  async (ctx, { text, document, message, word }) => {
    const variety = parseVariety(word);
    if (variety === undefined) return;
    const written = asWritten(ctx, text, variety);
    await carryOut(ctx, [textSource(written, message.message_id, document)], () => toSpeak(variety));
    const language = dominantLanguage(written);
    const isOfPage = callbackDataIn(message).some((data) => data.startsWith('read:'));
    if (isOfPage && language !== undefined && language !== languageOf(variety))
      await offerAlways(ctx, language);
  },
  { withWord: true },
);

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
    changeSetting(ctx.session, 'reading', word);
    await confirm(ctx, 'always-speak-chosen');
  },
};

/** The button under a voice note: the same note at three quarters of the speed, without a paid call. */
const slowerButton = textButton(
  'slow',
  async (ctx, { text, message, word }) => {
    const voice = parseVoice(word);
    const asked = word === 'all' ? word : voice === undefined ? parseVariety(word) : 'chinese';
    if (asked === undefined) return;
    const source = textSource(text, message.message_id);
    await carryOut(ctx, [source], () => toSpeak(asked, { isSlow: true, voice }));
  },
  { withWord: true },
);

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
