/** The command menu: registered with Telegram for each interface language and each kind of chat (spec §2). */
import type { BotCommand } from 'telegraf/types';
import { INTERFACE_LANGUAGES } from '../language/interface-language.ts';
import type { BotApi } from './api/api.ts';
import { isRefusal } from './api/api-errors.ts';
import type { Words } from './locale.ts';

/** In the order in which the menu shows them; what each does stands in `locales/` under `command-…`. */
const IN_GROUPS = [
  'speak',
  'ocr',
  'tibetan',
  'chinese',
  'auto',
  'wylie',
  'dialect',
  'voice',
  'settings',
  'usage',
  'cancel',
  'lang',
  'help',
] as const;
const IN_PRIVATE = [...IN_GROUPS, 'privacy', 'forget', 'start'] as const;
const FOR_GROUP_ADMINS = [...IN_GROUPS, 'quota', 'listen'] as const;
const FOR_OWNERS = [...IN_PRIVATE, 'stats'] as const;

/**
 * Registers the menus, one after another; in the private chats of those who run the bot with what is theirs alone.
 * Throws what Telegram answers, when it stays out of reach.
 */
export async function registerCommands(
  api: BotApi,
  words: Words,
  adminIds: readonly number[],
): Promise<void> {
  for (const language of INTERFACE_LANGUAGES) {
    const described = (names: readonly string[]): BotCommand[] =>
      names.map((command) => ({ command, description: words(language, `command-${command}`) }));
    // Without a language code a menu is for everyone who has none of their own: English.
    const languageCode = language === 'en' ? {} : { language_code: language };
    await api.setMyCommands(described(IN_PRIVATE), { scope: { type: 'all_private_chats' }, ...languageCode });
    await api.setMyCommands(described(IN_GROUPS), { scope: { type: 'all_group_chats' }, ...languageCode });
    const forAdmins = { scope: { type: 'all_chat_administrators' }, ...languageCode } as const;
    await api.setMyCommands(described(FOR_GROUP_ADMINS), forAdmins);
    for (const chat_id of adminIds) {
      const scope = { type: 'chat', chat_id } as const;
      // One who has never written to the bot has no chat with it yet, so no menu either; the next start sees to it.
      await api.setMyCommands(described(FOR_OWNERS), { scope, ...languageCode }).catch((error: unknown) => {
        if (!isRefusal(error)) throw error;
      });
    }
  }
}
