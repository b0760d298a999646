/** /start: who the bot is and what to do first, which is another thing in a group; a link (t.me/bot?start=…) can lead further. */
import { INTERFACE_LANGUAGES, parseInterfaceLanguage } from '../src/language/interface-language.ts';
import { choice, INTERFACE_LANGUAGE_NAMES, type Keyboard } from '../src/telegram/answer/buttons.ts';
import { replacePressed } from '../src/telegram/answer/editing.ts';
import { notice } from '../src/telegram/answer/sending.ts';
import type { BotContext } from '../src/telegram/context.ts';
import type { Callback } from '../src/telegram/request/callback.ts';
import type { Command } from '../src/telegram/request/command.ts';
import { help } from './help.ts';
import { privacy } from './privacy.ts';
import { settings } from './settings.ts';

/** Where `?start=` leads, beside `lang-zh` and the like. */
const PLACES = [help, settings, privacy];

/** A language under the greeting, which turns into it where it stands. */
const greetingLanguage: Callback<BotContext> = {
  data: /^start:(\w+)$/,
  handle: async (ctx, [, word = '']) => {
    const language = parseInterfaceLanguage(word);
    if (language === undefined) return;
    ctx.session.interfaceLanguage = language;
    const isReplaced = await replacePressed(ctx, ctx.words('start'), firstSteps(ctx));
    if (!isReplaced) await notice(ctx, 'start', { keyboard: firstSteps(ctx) });
  },
};

/** What stands after `?start=` comes as the payload; what leads nowhere is ignored. */
export const start: Command<BotContext> = {
  name: 'start',
  menu: 'private',
  callbacks: [greetingLanguage],
  handle: async (ctx, given) => {
    const payload = given.toLowerCase();
    const place = PLACES.find(({ name }) => name === payload);
    if (place !== undefined) return place.handle(ctx, '');
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

/** What a newcomer can do with one press. */
function firstSteps(ctx: BotContext): Keyboard {
  return [
    [{ text: ctx.words('button-try-photo'), callback_data: 'sample' }],
    INTERFACE_LANGUAGES.map((language) =>
      choice(INTERFACE_LANGUAGE_NAMES[language], `start:${language}`, ctx.language === language),
    ),
  ];
}
