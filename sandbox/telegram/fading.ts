/** What the bot shows in a chat for a while: it fades by itself, or ends when the bot's message takes its place. */

export class Fading<Thing> {
  readonly #shown = new Map<string, { thing: Thing; timer: NodeJS.Timeout }>();
  readonly #shownMs: number;
  readonly #onChange: (thing: Thing, isShown: boolean) => void;

  /** Each thing is shown for `shownMs`; `onChange` is called when it comes and when it goes. */
  constructor(shownMs: number, onChange: (thing: Thing, isShown: boolean) => void) {
    this.#shownMs = shownMs;
    this.#onChange = onChange;
  }

  /** What the chat, or one topic of it, shows now. */
  current(chatId: number, threadId?: number): Thing | undefined {
    return this.#shown.get(key(chatId, threadId))?.thing;
  }

  /** Shows a thing in the place of the one before. */
  show(thing: Thing, chatId: number, threadId?: number): void {
    clearTimeout(this.#shown.get(key(chatId, threadId))?.timer);
    const timer = setTimeout(() => this.end(chatId, threadId), this.#shownMs);
    timer.unref();
    this.#shown.set(key(chatId, threadId), { thing, timer });
    this.#onChange(thing, true);
  }

  /** Ends what is shown, if anything is. */
  end(chatId: number, threadId?: number): void {
    const shown = this.#shown.get(key(chatId, threadId));
    if (shown === undefined) return;
    clearTimeout(shown.timer);
    this.#shown.delete(key(chatId, threadId));
    this.#onChange(shown.thing, false);
  }
}

function key(chatId: number, threadId: number | undefined): string {
  return `${chatId}/${threadId ?? ''}`;
}
