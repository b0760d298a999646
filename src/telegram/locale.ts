/** The words of the bot: Project Fluent bundles from `locales/`, one for each interface language. */
import { readFileSync } from 'node:fs';
import { FluentBundle, FluentResource, type FluentVariable } from '@fluent/bundle';
import {
  INTERFACE_LANGUAGES,
  type InterfaceLanguage,
  interfaceLanguage,
} from '../language/interface-language.ts';
import type { PersonSessions } from '../store/kept/sessions.ts';

export type Arguments = Record<string, FluentVariable>;

/** Gives the sentence `id`. Throws for an unknown id or a missing argument; `chat`, the type of the chat, is `group` by default. */
export type Words = (language: InterfaceLanguage, id: string, args?: Arguments) => string;

/** Reads `locales/*.ftl`. Throws if a file is missing or malformed, so that the bot fails at its start and not in an answer. */
export function loadWords(directory: URL): Words {
  const bundles = new Map(INTERFACE_LANGUAGES.map((language) => [language, loadBundle(directory, language)]));
  return (language, id, args) => {
    const bundle = bundles.get(language);
    const pattern = bundle?.getMessage(id)?.value;
    if (bundle === undefined || !pattern) throw new Error(`locales/${language}.ftl has no ${id}`);
    return bundle.formatPattern(pattern, { chat: 'group', ...args });
  };
}

function loadBundle(directory: URL, language: InterfaceLanguage): FluentBundle {
  const source = readFileSync(new URL(`${language}.ftl`, directory), 'utf8');
  // Otherwise people would copy Fluent's isolation marks along with text from an answer.
  const bundle = new FluentBundle(language, { useIsolating: false });
  const errors = bundle.addResource(new FluentResource(source));
  if (errors.length > 0) throw new Error(`locales/${language}.ftl: ${errors.map(String).join('; ')}`);
  return bundle;
}

/** The language in which the bot speaks to a user, for work outside lanes; Telegram's, if they have chosen none or their session cannot be read. */
export async function languageOf(
  { id, language_code }: { readonly id: number; readonly language_code?: string | undefined },
  sessions: Pick<PersonSessions, 'get'>,
): Promise<InterfaceLanguage> {
  const session = await sessions.get(String(id)).catch(() => undefined);
  return session?.interfaceLanguage ?? interfaceLanguage(language_code ?? session?.telegramLanguage);
}
