/** "Try a photo", under /start: a newcomer sees with one press what becomes of a photo. */
import { readFile } from 'node:fs/promises';
import type { Picture } from '../src/interpreter/request.ts';
import { recognitionKey } from '../src/interpreter/request.ts';
import { whileShowing } from '../src/telegram/answer/activity.ts';
import { recognitionButtons } from '../src/telegram/answer/buttons.ts';
import { answerWithOwnPhoto } from '../src/telegram/answer/media-answer.ts';
import { answerRecognised, notice } from '../src/telegram/answer/sending.ts';
import type { BotContext } from '../src/telegram/context.ts';
import type { Callback } from '../src/telegram/request/callback.ts';
import { readingsOf } from '../src/telegram/request/own-text.ts';

const load = () => readFile(new URL('sample-photo.jpg', import.meta.url));

/** Telegram's id for it changes with each upload: this one stays, so that it is read once for everybody. Another picture needs another id. */
const SAMPLE: Picture = { id: 'sample-photo-1', bytes: undefined, load };
const LANGUAGE = 'tibetan';

/**
 * Sends the photo, and its text as under anybody's photo. It is really read, paid for by the first who asks, and kept; before it is
 * sent, so that a recognition that fails, and is tried again, leaves one photo in the chat.
 */
export const samplePhoto: Callback<BotContext> = {
  data: /^sample$/,
  handle: async (ctx) => {
    const { ownPhotos, log } = ctx.bot;
    const key = recognitionKey(SAMPLE.id, LANGUAGE);
    const known = await ownPhotos.fileId(key).catch(() => undefined);
    const { asker, signal } = ctx;
    const recognise = () => ctx.bot.interpreter.recognise(SAMPLE, LANGUAGE, { asker, signal });
    const text = await whileShowing(ctx, 'typing', recognise);
    const { messageId: replyTo, fileId } = await answerWithOwnPhoto(ctx, known, load);
    if (text === '') return notice(ctx, `nothing-found-${LANGUAGE}`, { replyTo });
    const [reading = ''] = await readingsOf(ctx, [text]);
    ctx.session.lastText = reading;
    // Telegram tells of the photo that this answer replies to.
    const again = { text: ctx.words('button-read-chinese'), callback_data: 'read:chinese' };
    await answerRecognised(ctx, text, { keyboard: recognitionButtons(ctx, [again], []), replyTo, reading });
    if (fileId === undefined || fileId === known) return;
    await ownPhotos.keepFileId(key, fileId).catch((error: unknown) => {
      log.warn({ error }, 'a file id was not kept');
    });
  },
};
