/** /speak: a text as a voice note, in a Tibetan dialect or in Chinese. */
import { parseVoice } from '../src/language/variety.ts';
import { parseVariety, takeVariety } from '../src/language/variety-names.ts';
import type { BotContext } from '../src/telegram/context.ts';
import { type Callback, callbackMessage, noticeIfGone } from '../src/telegram/request/callback.ts';
import type { Command } from '../src/telegram/request/command.ts';
import { carryOut } from '../src/work/carry-out.ts';
import { textSource } from '../src/work/source.ts';
import { lastTextFor, toSpeak } from '../src/work/speak.ts';
import { sourcesOf, textOfCallback } from '../src/work/subject.ts';

/** The buttons under a text, one for each variety. The text is that of their message, or the one that they name. */
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
    await carryOut(ctx, [textSource(text, message.message_id)], () => toSpeak(variety));
  },
};

/** The button under a voice note: the same at three quarters of the speed, made of the note that is kept. */
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
  callbacks: [speakButton, slowerButton],
  handle: async (ctx, payload) => {
    const { variety, isSlow, text } = takeVariety(payload);
    const sources = await sourcesOf(ctx, text, ctx.session.reading);
    const last = textSource(lastTextFor(ctx, variety));
    await carryOut(ctx, sources.length > 0 ? sources : [last], () => toSpeak(variety, { isSlow }));
  },
};
