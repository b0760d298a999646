/** "Try a photo", under /start: shows a newcomer with one press what the bot does with a photo. */
import { readFile } from 'node:fs/promises';
import { readingsOf, recognise } from '../src/interpreter/recognition.ts';
import type { Picture } from '../src/interpreter/request.ts';
import { recognitionKey } from '../src/interpreter/request.ts';
import { textButtons } from '../src/telegram/answer/buttons.ts';
import type { BotContext } from '../src/telegram/context.ts';
import { answerRecognised, notice } from '../src/telegram/outbox/answer.ts';
import { answerWithOwnPhoto } from '../src/telegram/outbox/media.ts';
import { whileShowing } from '../src/telegram/outbox/progress.ts';
import type { Callback } from '../src/telegram/request/callback.ts';

const load = () => readFile(new URL('sample-photo.jpg', import.meta.url));

/** An id of our own, so that it is read once for everybody: Telegram's changes with each upload. Another picture needs another id. */
const SAMPLE: Picture = { id: 'sample-photo-1', bytes: undefined, load };
const LANGUAGE = 'tibetan';

/**
 * Sends the photo, and its text as under anybody's photo. The first who asks pays for its recognition, which is kept. It is read before it
 * is sent, so that a failed and repeated recognition leaves only one photo in the chat.
 */
export const samplePhoto: Callback<BotContext> = {
  data: /^sample$/,
  handle: async (ctx) => {
    const { ownPhotos, log } = ctx.bot;
    const key = recognitionKey(SAMPLE.id, LANGUAGE);
    const known = await ownPhotos.fileId(key).catch(() => undefined);
    const { asker, signal } = ctx;
    const text = await whileShowing(ctx, 'typing', () =>
      recognise(ctx.bot.interpreter, SAMPLE, LANGUAGE, { asker, signal }),
    );
    const { messageId: replyTo, fileId } = await answerWithOwnPhoto(ctx, known, load);
    if (text === '') return notice(ctx, `nothing-found-${LANGUAGE}`, { replyTo });
    const [reading = ''] = await readingsOf(ctx.bot.interpreter, [text], ctx);
    ctx.session.lastText = reading;
    // The answer replies to the photo, so the button need not name it.
    const again = { text: ctx.words('button-read-chinese'), callback_data: 'read:chinese' };
    await answerRecognised(ctx, text, { keyboard: textButtons(ctx, [again]), replyTo, reading });
    if (fileId === undefined || fileId === known) return;
    await ownPhotos.keepFileId(key, fileId).catch((error: unknown) => {
      log.warn({ error }, 'storing a file id failed');
    });
  },
};
