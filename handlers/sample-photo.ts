/** "Try a photo", under /start: shows a newcomer with one press what the bot does with a photo. */
import { readFile } from 'node:fs/promises';
import { recognise } from '../src/interpreter/recognition.ts';
import type { Picture } from '../src/interpreter/request.ts';
import type { BotContext } from '../src/telegram/context.ts';
import type { Destination } from '../src/telegram/outbox/destination.ts';
import type { Callback } from '../src/telegram/request/callback.ts';
import { carryOut } from '../src/work/carry-out.ts';
import type { Files, Source } from '../src/work/source.ts';
import { toRead } from '../src/work/wish.ts';

const load = () => readFile(new URL('sample-photo.jpg', import.meta.url));

/** An id of our own, so that everybody shares one recognition: Telegram's id changes with each upload. Another picture needs another id. */
const SAMPLE: Picture = { id: 'sample-photo-1', bytes: undefined, load };
const LANGUAGE = 'tibetan';

/** Sends the photo, and its text as under any photo. The first person pays for its recognition, which is then stored. */
export const samplePhoto: Callback<BotContext> = {
  data: /^sample$/,
  handle: async (ctx) => {
    const { bot, chat, outbox } = ctx;
    const photo = { source: await load(), filename: 'lotsawa.jpg' };
    const files: Files['files'][number][] = [];
    const upload = async (destination: Destination) => {
      const sent = await bot.api.sendPhoto(chat.id, photo, destination);
      const file = sent.photo.at(-1);
      if (file !== undefined) files.push({ file, message: sent.message_id });
      return sent;
    };
    await outbox.send({ upload, replyTo: false });
    const source: Source = {
      replyTo: outbox.given.at(-1)?.id,
      form: 'lines',
      languages: [LANGUAGE],
      files: { kind: 'pictures', files },
      read: async ({ asker, signal }) => {
        const text = await recognise(bot.interpreter, SAMPLE, LANGUAGE, { asker, signal });
        return [[{ number: 1, text, isLayer: false }]];
      },
      unread: async () => [],
    };
    await carryOut(ctx, [source], () => toRead);
  },
};
