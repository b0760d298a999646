/** /start: who the bot is and what to do first, which is another thing in a group; a link (t.me/bot?start=…) can lead further. */
import { parseInterfaceLanguage } from '../src/language/interface-language.ts';
import { type Keyboard, translationButtons } from '../src/telegram/answer/buttons.ts';
import { replaceCallbackMessage } from '../src/telegram/answer/editing.ts';
import { answer, notice } from '../src/telegram/answer/sending.ts';
import { SETTINGS, valueButtons } from '../src/telegram/answer/settings.ts';
import type { BotContext } from '../src/telegram/context.ts';
import { GUEST_LINK } from '../src/telegram/inline/guest-mode.ts';
import type { Callback } from '../src/telegram/request/callback.ts';
import type { Command } from '../src/telegram/request/command.ts';
import { help } from './help.ts';
import { INVITATION, isLetIn } from './invite.ts';
import { privacy } from './privacy.ts';
import { settings } from './settings.ts';
import { speakText } from './speak.ts';

/** Where `?start=` leads, beside `lang-zh` and the like. */
const PLACES = [help, settings, privacy];

/** A language under the greeting, which turns into it where it stands. */
const greetingLanguage: Callback<BotContext> = {
  data: /^start:([\w-]+)$/,
  handle: async (ctx, [, word = '']) => {
    const language = parseInterfaceLanguage(word);
    if (language === undefined) return;
    ctx.session.interfaceLanguage = language;
    const isReplaced = await replaceCallbackMessage(ctx, ctx.words('start'), firstSteps(ctx));
    if (!isReplaced) await notice(ctx, 'start', { keyboard: firstSteps(ctx) });
  },
};

/** What stands after `?start=` comes as the payload; what leads nowhere is ignored. */
export const start: Command<BotContext> = {
  name: 'start',
  menu: 'private',
  callbacks: [greetingLanguage],
  isForStrangers: (given) => INVITATION.test(given),
  handle: async (ctx, given) => {
    const token = INVITATION.exec(given)?.[1];
    if (token !== undefined && !(await isLetIn(ctx, token))) return;
    const [, place, id] = (ctx.isPrivate && GUEST_LINK.exec(given)) || [];
    if (id !== undefined) return followGuestLink(ctx, place === 'say', id);
    const payload = given.toLowerCase();
    const command = PLACES.find(({ name }) => name === payload);
    if (command !== undefined) return command.handle(ctx, '');
    const language = payload.startsWith('lang-')
      ? parseInterfaceLanguage(payload.slice('lang-'.length))
      : undefined;
    if (language !== undefined) ctx.session.interfaceLanguage = language;
    // In a group any other word only tells of a ?startgroup= link: the bot was added by it and has said its welcome.
    else if (payload !== '' && !ctx.isPrivate) return;
    if (ctx.isPrivate) return notice(ctx, 'start', { keyboard: firstSteps(ctx) });
    await notice(ctx, 'welcome', { args: { username: ctx.botInfo.username } });
  },
};

/** From an answer in a chat where the bot is a guest: speech, and what one message does not hold, are had here. */
async function followGuestLink(ctx: BotContext, isSpoken: boolean, id: string): Promise<void> {
  const text = await ctx.bot.wholes.find(id);
  if (text === undefined) return notice(ctx, 'callback-too-old');
  if (isSpoken) return speakText(ctx, text, { variety: undefined });
  ctx.session.lastText = text;
  await answer(ctx, text, { keyboard: translationButtons(ctx) });
}

/** What a newcomer can do with one press. */
function firstSteps(ctx: BotContext): Keyboard {
  return [
    [{ text: ctx.words('button-try-photo'), callback_data: 'sample' }],
    ...valueButtons(ctx, SETTINGS.language, (language) => `start:${language}`),
  ];
}
