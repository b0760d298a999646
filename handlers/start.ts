/** /start: a greeting with first steps, and spoken answers for people who do not read; a link (t.me/bot?start=…) can lead further. */
import { parseInterfaceLanguage } from '../src/language/interface-language.ts';
import { DIALECTS, parseDialect, parseVariety } from '../src/language/variety.ts';
import {
  addToGroupButton,
  type Keyboard,
  LISTEN,
  translationButtons,
} from '../src/telegram/answer/buttons.ts';
import { SETTINGS, valueButtons } from '../src/telegram/answer/settings.ts';
import type { BotContext } from '../src/telegram/context.ts';
import { GUEST_LINK } from '../src/telegram/inline/guest-mode.ts';
import { answer, notice, replacePressed } from '../src/telegram/outbox/answer.ts';
import { sayAloud } from '../src/telegram/outbox/media.ts';
import type { Callback } from '../src/telegram/request/callback.ts';
import type { Command } from '../src/telegram/request/command.ts';
import { isFromGroupAdmin } from '../src/telegram/request/identity.ts';
import { carryOut } from '../src/work/carry-out.ts';
import { textSource } from '../src/work/source.ts';
import { toSpeak } from '../src/work/speak.ts';
import { help } from './help.ts';
import { INVITATION, isLetIn } from './invite.ts';
import { switchOn, welcome } from './listen.ts';
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
  handle: async (ctx, [, word = '']) => {
    const dialect = parseDialect(word);
    if (dialect === undefined) return;
    ctx.session.dialect = dialect;
    ctx.session.spoken = true;
    await notice(ctx, 'aloud-chosen');
  },
};

/** Commands to which `?start=NAME` leads. */
const TARGETS = [help, settings, privacy];

/** The language buttons under the greeting; they change the greeting's language in place. */
const greetingLanguage: Callback<BotContext> = {
  data: /^start:([\w-]+)$/,
  handle: async (ctx, [, word = '']) => {
    const language = parseInterfaceLanguage(word);
    if (language === undefined) return;
    ctx.session.interfaceLanguage = language;
    const isReplaced = await replacePressed(ctx, ctx.words('start'), firstSteps(ctx));
    if (!isReplaced) await notice(ctx, 'start', { keyboard: firstSteps(ctx) });
  },
};

/** The payload is the text after `?start=`; an unknown one is ignored. */
export const start: Command<BotContext> = {
  name: 'start',
  callbacks: [greetingLanguage, aloudButton],
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

/** Handles a link under a guest's answer: speaks the text, or shows all of it. */
async function followGuestLink(
  ctx: BotContext,
  [, action, variety = '', id = '']: RegExpExecArray,
): Promise<void> {
  const text = await ctx.bot.results.findWhole('text', id);
  if (text === undefined) return notice(ctx, 'callback-too-old');
  if (action === 'say') {
    const asked = variety === 'all' ? variety : parseVariety(variety);
    await carryOut(ctx, [textSource(text)], () => toSpeak(asked));
    return;
  }
  ctx.session.lastText = text;
  await answer(ctx, text, { keyboard: translationButtons(ctx) });
}

function firstSteps(ctx: BotContext): Keyboard {
  return [
    [{ text: ctx.words('button-try-photo'), callback_data: 'sample' }, addToGroupButton(ctx)],
    ...valueButtons(ctx, SETTINGS.language, (language) => `start:${language}`),
  ];
}
