/** What Telegram shows of the bot before anybody has written to it, in each interface language. */
import { INTERFACE_LANGUAGES } from '../language/interface-language.ts';
import type { BotApi } from './api/api.ts';
import type { Words } from './locale.ts';

/**
 * Sets the description (the empty chat) and the short one (the profile, shared links) where they are not as they should be:
 * Telegram minds frequent changes. Throws what Telegram answers, when it stays out of reach.
 */
export async function registerProfile(api: BotApi, words: Words): Promise<void> {
  for (const language of INTERFACE_LANGUAGES) {
    // Without a language code a text is for everyone who has none of their own: English.
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
