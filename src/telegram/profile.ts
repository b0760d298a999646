/** Registers what Telegram shows of the bot: the menus of commands and the profile. */
import type { BotCommand } from '@grammyjs/types';
import type { BotCommandScope } from 'telegraf/types';
import { INTERFACE_LANGUAGES } from '../language/interface-language.ts';
import type { BotApi } from './api/api.ts';
import { unlessRefused } from './api/api-errors.ts';
import type { Words } from './locale.ts';
import type { Command, Menu } from './request/command.ts';

/** Telegram keeps menus and profiles by two-letter codes (ISO 639-1), so `zh` serves readers of both kinds of Chinese characters. */
const SHOWN_LANGUAGES = INTERFACE_LANGUAGES.filter((language) => language.length === 2);

/** Registers the menus; admins' private chats also show theirs. Throws Telegram's refusals, and `NetworkError` if it is unreachable. */
export async function registerCommands(
  api: BotApi,
  words: Words,
  adminIds: readonly number[],
  commands: readonly Command[],
): Promise<void> {
  for (const language of SHOWN_LANGUAGES) {
    // Without a language code, the menu is for everyone whose language has none: English.
    const languageCode = language === 'en' ? {} : { language_code: language };
    const register = (scope: BotCommandScope, menus: readonly Menu[]): Promise<boolean> => {
      const isInGroups = scope.type !== 'all_private_chats' && scope.type !== 'chat';
      const shown = commands.filter(({ menu }) => menu !== undefined && menus.includes(menu));
      const menu = shown.map(({ name, isEphemeral }): BotCommand => {
        const command = { command: name, description: words(language, `command-${name}`) };
        return isInGroups && isEphemeral ? { ...command, is_ephemeral: true } : command;
      });
      return api.setMyCommands(menu, { scope, ...languageCode });
    };
    await register({ type: 'all_private_chats' }, ['everybody', 'private']);
    await register({ type: 'all_group_chats' }, ['everybody', 'groups']);
    await register({ type: 'all_chat_administrators' }, ['everybody', 'groups', 'group-admins']);
    for (const chat_id of adminIds) {
      // Telegram refuses this for an admin who has never written to the bot; the next start retries.
      await unlessRefused(register({ type: 'chat', chat_id }, ['everybody', 'private', 'admins']));
    }
  }
}

/**
 * Sets the description (shown in the empty chat) and the short one (shown in the profile and in shared links) if they differ: Telegram
 * limits frequent changes. Throws Telegram's refusals, and `NetworkError` if Telegram stays unreachable.
 */
export async function registerProfile(api: BotApi, words: Words): Promise<void> {
  for (const language of SHOWN_LANGUAGES) {
    const code = language === 'en' ? '' : language;
    const description = words(language, 'profile-description');
    if ((await api.getMyDescription(code)).description !== description) {
      await api.setMyDescription(description, code);
    }
    const short = words(language, 'profile-short-description');
    if ((await api.getMyShortDescription(code)).short_description !== short) {
      await api.setMyShortDescription(short, code);
    }
  }
}
