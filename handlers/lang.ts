/** /lang: the language in which the bot speaks to this person. */
import {
  INTERFACE_LANGUAGES,
  type InterfaceLanguage,
  parseInterfaceLanguage,
} from '../src/language/interface-language.ts';
import { INTERFACE_LANGUAGE_NAMES, settingChoice } from '../src/telegram/answer/buttons.ts';
import { confirm, notice } from '../src/telegram/answer/sending.ts';
import type { BotContext } from '../src/telegram/context.ts';
import { type Callback, OF_SETTINGS } from '../src/telegram/request/callback.ts';
import type { Command } from '../src/telegram/request/command.ts';

const langButton: Callback<BotContext> = {
  data: /^lang:([\w-]+)(?::(?<owner>-?\d+))?$/,
  owned: OF_SETTINGS,
  handle: async (ctx, [, word = '']) => {
    const chosen = parseInterfaceLanguage(word);
    if (chosen !== undefined) await choose(ctx, chosen);
  },
};

/** A language that is named is chosen; without one, or with one that is unknown, all are offered. */
export const lang: Command<BotContext> = {
  name: 'lang',
  menu: 'everybody',
  callbacks: [langButton],
  handle: async (ctx, word) => {
    const chosen = parseInterfaceLanguage(word);
    if (chosen !== undefined) return choose(ctx, chosen);
    const label = (value: InterfaceLanguage) => INTERFACE_LANGUAGE_NAMES[value];
    const keyboard = settingChoice(ctx, 'lang', INTERFACE_LANGUAGES, ctx.language, label);
    await notice(ctx, word === '' ? 'lang-which' : 'lang-unknown', { keyboard });
  },
};

async function choose(ctx: BotContext, chosen: InterfaceLanguage): Promise<void> {
  ctx.session.interfaceLanguage = chosen;
  await confirm(ctx, 'lang-chosen');
}
