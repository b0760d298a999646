/** What the bot registered about itself: commands per scope and language, descriptions. */
import type { BotCommand, BotCommandScope, PhotoSize } from './objects.ts';

export class BotProfile {
  /** Its own picture, smallest size first. */
  picture: PhotoSize[] | undefined;
  readonly #commands = new Map<string, BotCommand[]>();
  readonly #texts = new Map<string, string>();

  /** Exactly what was registered for this scope and language; `''` is the language of all who have no own list. */
  commands(scope: BotCommandScope, languageCode = ''): BotCommand[] {
    return this.#commands.get(commandKey(scope, languageCode)) ?? [];
  }

  /** An empty list takes the registration back. */
  setCommands(scope: BotCommandScope, languageCode: string, commands: BotCommand[]): void {
    if (commands.length > 0) this.#commands.set(commandKey(scope, languageCode), commands);
    else this.#commands.delete(commandKey(scope, languageCode));
  }

  /**
   * The first list there is, narrowest scope first, in each scope the language's own before the common one
   * (Bot API, "Determining list of commands").
   */
  resolve(scopes: readonly BotCommandScope[], languageCode: string): BotCommand[] {
    for (const scope of scopes)
      for (const language of [languageCode, '']) {
        const commands = this.commands(scope, language);
        if (commands.length > 0) return commands;
      }
    return [];
  }

  /** The text registered under this name (`description`, `short_description`) or its common form. */
  text(name: string, languageCode: string): string {
    return this.#texts.get(`${name}/${languageCode}`) ?? this.#texts.get(`${name}/`) ?? '';
  }

  setText(name: string, languageCode: string, text: string): void {
    if (text === '') this.#texts.delete(`${name}/${languageCode}`);
    else this.#texts.set(`${name}/${languageCode}`, text);
  }
}

function commandKey({ type, chat_id, user_id }: BotCommandScope, languageCode: string): string {
  return [type, chat_id ?? '', user_id ?? '', languageCode].join('/');
}
