/**
 * /start: a greeting with first steps: a photo to try, and spoken answers for people who do not read. A link (t.me/bot?start=…) can lead
 * further.
 */
import { readFile } from 'node:fs/promises';
import { recognise } from '../src/interpreter/recognition.ts';
import type { Picture } from '../src/interpreter/request.ts';
import { parseInterfaceLanguage } from '../src/language/interface-language.ts';
import { LANGUAGES } from '../src/language/script.ts';
import { DIALECTS, takeVariety } from '../src/language/variety.ts';
import type { BotContext } from '../src/telegram/context.ts';
import { GUEST_LINK } from '../src/telegram/inline/guest-mode.ts';
import type { Destination } from '../src/telegram/outbox/destination.ts';
import { answer, notice, showPanel } from '../src/telegram/reply/answer.ts';
import { addToGroupButton, type Keyboard, LISTEN, textButtons } from '../src/telegram/reply/buttons.ts';
import { sayAloud } from '../src/telegram/reply/media.ts';
import { changeSetting, SETTINGS, valueButtons } from '../src/telegram/reply/settings.ts';
import type { Callback } from '../src/telegram/request/callback.ts';
import type { Command } from '../src/telegram/request/command.ts';
import { isFromGroupAdmin } from '../src/telegram/request/identity.ts';
import { carryOut } from '../src/work/carry-out.ts';
import { type Files, type Source, textSource } from '../src/work/source.ts';
import { toSpeak } from '../src/work/speak.ts';
import { toTranslate } from '../src/work/translate.ts';
import { toRead } from '../src/work/wish.ts';
import { help } from './help.ts';
import { switchOn, welcome } from './listen.ts';
import { INVITATION, isLetIn } from './membership.ts';
import { privacy } from './privacy.ts';
import { settings } from './settings.ts';

async function offerAloud(ctx: BotContext): Promise<void> {
  if (ctx.session.spoken) return;
  const buttons = DIALECTS.map((dialect) => ({
    text: `🔊 ${ctx.words(dialect)}`,
    callback_data: `aloud:${dialect}`,
  }));
  await sayAloud(ctx, 'aloud-offer', DIALECTS, { caption: ctx.words('aloud-offer'), keyboard: [buttons] });
}

/** The buttons stay, so that whoever pressed the wrong one can press another. */
const aloudButton: Callback<BotContext> = {
  data: /^aloud:(\w+)$/,
  handle: async (ctx, [, dialect = '']) => {
    changeSetting(ctx.session, 'dialect', dialect);
    ctx.session.spoken = true;
    await notice(ctx, 'aloud-chosen');
  },
};

/** Commands to which `?start=NAME` leads. */
const TARGETS = [help, settings, privacy];

/** The language buttons under the greeting; they change the greeting's language in place. */
const greetingLanguage: Callback<BotContext> = {
  data: /^start:([\w-]+)$/,
  handle: async (ctx, [, language = '']) => {
    changeSetting(ctx.session, 'language', language);
    await showPanel(ctx, { text: ctx.words('start'), keyboard: firstSteps(ctx) });
  },
};

const load = () => readFile(new URL('sample-photo.jpg', import.meta.url));

/** An id of our own, so that everybody shares one recognition: Telegram's id changes with each upload. Another picture needs another id. */
const SAMPLE: Picture = { id: 'sample-photo-1', bytes: undefined, load };
const LANGUAGE = 'tibetan';

/** "Try a photo": sends one, and its text as under any photo. The first person pays for its recognition, which is then stored. */
const samplePhoto: Callback<BotContext> = {
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
    const replyTo = await outbox.send({ key: 'sample', upload, replyTo: false });
    const source: Source = {
      replyTo,
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

/** The payload is the text after `?start=`; an unknown one is ignored. */
export const start: Command<BotContext> = {
  name: 'start',
  callbacks: [greetingLanguage, samplePhoto, aloudButton],
  isForStrangers: (given) => INVITATION.test(given),
  handle: async (ctx, given) => {
    const token = INVITATION.exec(given)?.[1];
    if (token !== undefined && !(await isLetIn(ctx, token))) return;
    const link = ctx.isPrivate ? GUEST_LINK.exec(given) : null;
    if (link !== null) return followGuestLink(ctx, link);
    const payload = given.toLowerCase();
    const command = TARGETS.find(({ name }) => name === payload);
    if (command !== undefined) return command.handle(ctx, '');
    const language = payload.startsWith('lang-')
      ? parseInterfaceLanguage(payload.slice('lang-'.length))
      : undefined;
    if (language !== undefined) ctx.session.interfaceLanguage = language;
    else if (payload === LISTEN && !ctx.isPrivate && (await isFromGroupAdmin(ctx.bot.api, ctx.message)))
      return notice(ctx, await switchOn(ctx));
    // In a group any other payload comes from a ?startgroup= link, which added the bot: its welcome is already sent.
    else if (payload !== '' && !ctx.isPrivate) return;
    if (!ctx.isPrivate) return welcome(ctx);
    await notice(ctx, 'start', { keyboard: firstSteps(ctx) });
    await offerAloud(ctx);
  },
};

/** Handles a link under a guest's answer: speaks the text, or shows all of it, translated where only its beginning was. */
async function followGuestLink(
  ctx: BotContext,
  [, action, name = '', id = '']: RegExpExecArray,
): Promise<void> {
  const text = await ctx.bot.results.findWhole('text', id);
  if (text === undefined) return notice(ctx, 'callback-too-old');
  if (action === 'say') {
    await carryOut(ctx, [textSource(text)], () => toSpeak(takeVariety(name).variety));
    return;
  }
  const to = LANGUAGES.find((language) => language === name);
  if (to !== undefined) {
    await carryOut(ctx, [textSource(text)], () => toTranslate(to));
    return;
  }
  ctx.session.lastText = text;
  await answer(ctx, text, { keyboard: textButtons(ctx, { isTranslation: true }) });
}

function firstSteps(ctx: BotContext): Keyboard {
  return [
    [{ text: ctx.words('button-try-photo'), callback_data: 'sample' }, addToGroupButton(ctx)],
    ...valueButtons(ctx, SETTINGS.language, (language) => `start:${language}`),
  ];
}
