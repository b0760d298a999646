/** /settings: all settings in one message, with their choices behind buttons; /lang, /dialect and /voice set one by a word or a button. */
import { parseInterfaceLanguage } from '../src/language/interface-language.ts';
import { parseDialect, parseVoice } from '../src/language/variety.ts';
import type { BotContext } from '../src/telegram/context.ts';
import type { Arguments } from '../src/telegram/locale.ts';
import { confirm, notice, showPanel } from '../src/telegram/reply/answer.ts';
import {
  changeSetting,
  SETTINGS,
  type Setting,
  settingsPanel,
  valueButtons,
} from '../src/telegram/reply/settings.ts';
import { type Callback, OF_SETTINGS } from '../src/telegram/request/callback.ts';
import type { Command } from '../src/telegram/request/command.ts';

/** Names the owner; a setting opens its choices, a value sets it, so that a second press changes nothing; neither: back to the panel. */
const settingButton: Callback<BotContext> = {
  data: /^set:(?<owner>-?\d+)(?::(\w+)(?::([\w-]+))?)?$/,
  owned: OF_SETTINGS,
  isPersonal: true,
  handle: async (ctx, [, , name = '', value]) => {
    if (value !== undefined) changeSetting(ctx.session, name, value);
    await showPanel(ctx, settingsPanel(ctx, value === undefined ? name : undefined));
  },
};

export const settings: Command<BotContext> = {
  name: 'settings',
  menu: 'everybody',
  isEphemeral: true,
  isPersonal: true,
  callbacks: [settingButton],
  handle: (ctx) => showPanel(ctx, settingsPanel(ctx)),
};

export const lang = choiceOf('lang', SETTINGS.language, parseInterfaceLanguage, () => [
  'lang-chosen',
]).command;

export const dialect = choiceOf('dialect', SETTINGS.dialect, parseDialect, (dialect) => [
  'dialect-chosen',
  { dialect },
]).command;

export const voice = choiceOf('voice', SETTINGS.voice, parseVoice, (voice) => [
  'voice-chosen',
  { voice },
]).command;

/** The choice of one setting. The buttons' data begin with `name`; `chosen` gives the sentence that confirms it. */
export function choiceOf<V extends string>(
  name: string,
  setting: Setting<V>,
  parse: (word: string) => V | undefined,
  chosen: (label: string, value: V) => [id: string, args?: Arguments],
) {
  const take = async (ctx: BotContext, value: V): Promise<void> => {
    setting.choose(ctx.session, value);
    await confirm(ctx, ...chosen(setting.label(ctx, value), value));
  };
  const offer = (ctx: BotContext, sentence: string): Promise<void> => {
    // In a group anybody can press them (`OF_SETTINGS` in request/callback.ts).
    const owner = ctx.isPrivate ? '' : `:${ctx.person}`;
    const keyboard = valueButtons(ctx, setting, (value) => `${name}:${value}${owner}`);
    return notice(ctx, sentence, { keyboard });
  };
  const button: Callback<BotContext> = {
    data: new RegExp(`^${name}:([\\w-]+)(?::(?<owner>-?\\d+))?$`),
    owned: OF_SETTINGS,
    handle: async (ctx, [, word = '']) => {
      const value = parse(word);
      if (value !== undefined) await take(ctx, value);
    },
  };
  /** The command of this name: sets the value named; without one, or with an unknown one, offers all. */
  const command: Command<BotContext> = {
    name,
    // The menu lists it only in groups, where its answer is ephemeral; in private /settings has them all.
    menu: 'groups',
    isEphemeral: true,
    callbacks: [button],
    handle: async (ctx, word) => {
      const value = parse(word);
      if (value !== undefined) return take(ctx, value);
      await offer(ctx, word === '' ? `${name}-which` : `${name}-unknown`);
    },
  };
  return { take, offer, button, command };
}
