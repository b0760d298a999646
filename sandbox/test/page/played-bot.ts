/** A bot without a mind of its own: each call to the Bot API is one that the test makes. */
import { z } from 'zod';

const answer = z.object({
  ok: z.boolean(),
  description: z.string().optional(),
  result: z.unknown().optional(),
});

const sent = z.object({ message_id: z.number() });

const update = z
  .object({
    update_id: z.number(),
    message: z.looseObject({ message_id: z.number(), text: z.string().optional() }).optional(),
    edited_message: z.looseObject({ message_id: z.number(), text: z.string().optional() }).optional(),
    callback_query: z.looseObject({ id: z.string(), data: z.string() }).optional(),
    inline_query: z.looseObject({ id: z.string(), query: z.string() }).optional(),
  })
  .loose();

type Update = z.infer<typeof update>;

export class PlayedBot {
  readonly #root: string;
  readonly #stopping = new AbortController();
  #offset = 0;
  #waiting: Update[] = [];

  /** `root` is the API's address with the token. */
  constructor(root: string) {
    this.#root = root;
  }

  /** Calls a method; throws with Telegram's description when it refuses. */
  async call(method: string, payload: Record<string, unknown> | FormData = {}): Promise<unknown> {
    const isForm = payload instanceof FormData;
    const response = await fetch(`${this.#root}/${method}`, {
      method: 'POST',
      ...(isForm ? {} : { headers: { 'content-type': 'application/json' } }),
      body: isForm ? payload : JSON.stringify(payload),
      signal: this.#stopping.signal,
    });
    const { ok, description, result } = answer.parse(await response.json());
    if (!ok) throw new Error(description);
    return result;
  }

  /** Sends a text; returns its message id. */
  async say(chatId: number, text: string, more: Record<string, unknown> = {}): Promise<number> {
    return sent.parse(await this.call('sendMessage', { chat_id: chatId, text, ...more })).message_id;
  }

  /** Sends a voice note; returns its message id. */
  async speak(chatId: number, ogg: Buffer, seconds: number, caption: string): Promise<number> {
    const form = new FormData();
    form.set('chat_id', String(chatId));
    form.set('duration', String(seconds));
    form.set('caption', caption);
    form.set('voice', new Blob([new Uint8Array(ogg)], { type: 'audio/ogg' }), 'voice.ogg');
    return sent.parse(await this.call('sendVoice', form)).message_id;
  }

  /** The next update for which `pick` gives something; earlier ones are passed over. */
  async hears<Picked>(pick: (update: Update) => Picked | undefined): Promise<Picked> {
    for (;;) {
      for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
        this.#offset = next.update_id + 1;
        const picked = pick(next);
        if (picked !== undefined) return picked;
      }
      this.#waiting = z
        .array(update)
        .parse(await this.call('getUpdates', { offset: this.#offset, timeout: 30 }));
    }
  }

  /** Ends a poll that still waits. */
  stop(): void {
    this.#stopping.abort();
  }
}
