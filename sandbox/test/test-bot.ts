/** A bot without a mind of its own: each call to the Bot API is one that the test makes, with fetch, as any library would in the end. */
import { z } from 'zod';

const replySchema = z.object({
  ok: z.boolean(),
  result: z.unknown().optional(),
  error_code: z.number().optional(),
  description: z.string().optional(),
  parameters: z.record(z.string(), z.number()).optional(),
});
type Reply = z.infer<typeof replySchema>;

const message = z.looseObject({
  message_id: z.number(),
  text: z.string().optional(),
  media_group_id: z.string().optional(),
});
const updateSchema = z.looseObject({
  update_id: z.number(),
  message: message.optional(),
  edited_message: message.optional(),
  callback_query: z.looseObject({ id: z.string(), data: z.string() }).optional(),
  inline_query: z.looseObject({ id: z.string(), query: z.string() }).optional(),
  chosen_inline_result: z.looseObject({ inline_message_id: z.string().optional() }).optional(),
});
type Update = z.infer<typeof updateSchema>;

const sent = z.object({ message_id: z.number() });

export class TestBot {
  readonly #root: string;
  readonly #stopping = new AbortController();
  #offset = 0;
  #waiting: Update[] = [];

  /** `root` is the API's address with the token. */
  constructor(root: string) {
    this.#root = root;
  }

  /** The reply to a call with JSON parameters or a form. */
  async ask(method: string, payload: Record<string, unknown> | FormData = {}): Promise<Reply> {
    const isForm = payload instanceof FormData;
    const response = await fetch(`${this.#root}/${method}`, {
      method: 'POST',
      ...(isForm ? {} : { headers: { 'content-type': 'application/json' } }),
      body: isForm ? payload : JSON.stringify(payload),
      signal: this.#stopping.signal,
    });
    return replySchema.parse(await response.json());
  }

  /** The result of a call; throws with Telegram's description when it refuses. */
  async call(method: string, payload?: Record<string, unknown> | FormData): Promise<unknown> {
    const { ok, description, result } = await this.ask(method, payload);
    if (!ok) throw new Error(description);
    return result;
  }

  /** Sends a text; returns its message id. */
  async say(chatId: number, text: string, more: Record<string, unknown> = {}): Promise<number> {
    return sent.parse(await this.call('sendMessage', { chat_id: chatId, text, ...more })).message_id;
  }

  /** What `getUpdates` gives, at once or after `timeout` seconds; confirmed by the next call of this. */
  async updates(timeout = 0): Promise<Update[]> {
    const { result } = await this.ask('getUpdates', { offset: this.#offset, timeout });
    const updates = z.array(updateSchema).parse(result);
    this.#offset = (updates.at(-1)?.update_id ?? this.#offset - 1) + 1;
    return updates;
  }

  /** The next update for which `pick` gives something; earlier ones are passed over. */
  async hears<Picked>(pick: (update: Update) => Picked | undefined): Promise<Picked> {
    for (;;) {
      for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
        const picked = pick(next);
        if (picked !== undefined) return picked;
      }
      this.#waiting = await this.updates(30);
    }
  }

  /** Ends a poll that still waits. */
  stop(): void {
    this.#stopping.abort();
  }
}

/** A form of these fields. */
export function formOf(fields: Record<string, string | File>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
}

/** An upload as browsers and bots make it. */
export function file(bytes: Buffer, name: string, type: string): File {
  return new File([new Uint8Array(bytes)], name, { type });
}
