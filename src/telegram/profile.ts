/** Registers what Telegram shows of the bot: the menus of commands (spec §2) and the profile. */
import type { BotCommand } from '@grammyjs/types';
import { INTERFACE_LANGUAGES } from '../language/interface-language.ts';
import type { BotApi } from './api/api.ts';
import { unlessRefused } from './api/api-errors.ts';
import type { Words } from './locale.ts';
import type { Command, Menu } from './request/command.ts';

/**
 * Telegram keeps menus and profiles by two-letter codes (ISO 639-1) and picks the one of the person's language, so `zh` serves readers of
 * both kinds of Chinese characters.
 */
const SHOWN_LANGUAGES = INTERFACE_LANGUAGES.filter((language) => language.length === 2);

/**
 * Registers the menus, one after another; the admins' private chats also show the admins' commands. Throws Telegram's refusals, and
 * `NetworkError` if Telegram stays unreachable.
 */
export async function registerCommands(
  api: BotApi,
  words: Words,
  adminIds: readonly number[],
  commands: readonly Command[],
): Promise<void> {
  for (const language of SHOWN_LANGUAGES) {
    const shown = (...menus: readonly Menu[]): BotCommand[] =>
      commands
        .filter(({ menu }) => menu !== undefined && menus.includes(menu))
        .map(({ name }) => ({ command: name, description: words(language, `command-${name}`) }));
    const ephemeral = new Set(commands.filter(({ isEphemeral }) => isEphemeral).map(({ name }) => name));
    const inGroups = (...menus: readonly Menu[]): BotCommand[] =>
      shown(...menus).map((shown) =>
        ephemeral.has(shown.command) ? { ...shown, is_ephemeral: true } : shown,
      );
    // Without a language code, the menu is for everyone whose language has none: English.
    const languageCode = language === 'en' ? {} : { language_code: language };
    const inPrivate = { scope: { type: 'all_private_chats' }, ...languageCode } as const;
    await api.setMyCommands(shown('everybody', 'private'), inPrivate);
    await api.setMyCommands(inGroups('everybody', 'groups'), {
      scope: { type: 'all_group_chats' },
      ...languageCode,
    });
    const forAdmins = { scope: { type: 'all_chat_administrators' }, ...languageCode } as const;
    await api.setMyCommands(inGroups('everybody', 'groups', 'group-admins'), forAdmins);
    for (const chat_id of adminIds) {
      const scope = { type: 'chat', chat_id } as const;
      // Telegram refuses this for an admin who has never written to the bot; the next start retries.
      const forAdmins = shown('everybody', 'private', 'admins');
      await unlessRefused(api.setMyCommands(forAdmins, { scope, ...languageCode }));
    }
  }
}

/**
 * Sets the description (shown in the empty chat) and the short one (shown in the profile and in shared links) if they differ: Telegram
 * limits frequent changes. Throws Telegram's refusals, and `NetworkError` if Telegram stays unreachable.
 */
export async function registerProfile(api: BotApi, words: Words): Promise<void> {
  for (const language of SHOWN_LANGUAGES) {
    // Without a language code, the text is for everyone whose language has none: English.
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
