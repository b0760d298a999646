/** "Try a photo", under /start: shows a newcomer with one press what the bot does with a photo. */
import { readFile } from 'node:fs/promises';
import { recognise } from '../src/interpreter/recognition.ts';
import type { Picture } from '../src/interpreter/request.ts';
import type { BotContext } from '../src/telegram/context.ts';
import type { Destination } from '../src/telegram/outbox/outbox.ts';
import type { Callback } from '../src/telegram/request/callback.ts';
import { carryOut, read } from '../src/work/carry-out.ts';
import { showPages } from '../src/work/show.ts';
import { type Source, textSource } from '../src/work/source.ts';
import { toSpeak } from '../src/work/speak.ts';

const load = () => readFile(new URL('sample-photo.jpg', import.meta.url));

/** An id of our own, so that everybody shares one recognition: Telegram's id changes with each upload. Another picture needs another id. */
const SAMPLE: Picture = { id: 'sample-photo-1', bytes: undefined, load };
const LANGUAGE = 'tibetan';

const SOURCE: Source = {
  replyTo: undefined,
  form: 'lines',
  languages: [LANGUAGE],
  read: async ({ bot, asker, signal }) => {
    const text = await recognise(bot.interpreter, SAMPLE, LANGUAGE, { asker, signal });
    return [[{ number: 1, text, isLayer: false }]];
  },
  unread: async () => [],
  // The answer replies to the photo, so the button need not name it.
  againButton: async (ctx) => [{ text: ctx.words('button-read-chinese'), callback_data: 'read:chinese' }],
  captionButton: async () => [],
};

/**
 * Sends the photo, and its text as under any photo. The first person pays for its recognition, which is then stored. It is read before it
 * is sent, so that a retry after a failed recognition leaves only one photo in the chat.
 */
export const samplePhoto: Callback<BotContext> = {
  data: /^sample$/,
  handle: async (ctx) => {
    const { bot, chat, outbox, session } = ctx;
    const found = await read(ctx, SOURCE, SOURCE.languages, {});
    const photo = { source: await load(), filename: 'lotsawa.jpg' };
    const upload = (destination: Destination) => bot.api.sendPhoto(chat.id, photo, destination);
    await outbox.send({ upload, replyTo: false });
    const replyTo = outbox.given.at(-1)?.id;
    const [{ text = '' } = {}] = found ?? [];
    if (text !== '') session.lastText = text;
    await showPages(ctx, { ...SOURCE, replyTo }, found ?? []);
    if (session.spoken) await carryOut(ctx, [textSource(text, replyTo)], () => toSpeak(session.dialect));
  },
};
