/** A bot reduced to HTTP: it calls methods with fetch, as any client library would in the end. */
import { z } from 'zod';
import {
  type LocalTelegram,
  type LocalTelegramOptions,
  startLocalTelegram,
} from '../../telegram/local-telegram.ts';
import type { Message } from '../../telegram/objects.ts';

export const TOKEN = '7000000001:AAexampleexampleexampleexampleexamp';

const replySchema = z.object({
  ok: z.boolean(),
  result: z.unknown().optional(),
  error_code: z.number().optional(),
  description: z.string().optional(),
  parameters: z.record(z.string(), z.number()).optional(),
});

const updatesSchema = z.array(
  z.looseObject({
    update_id: z.number(),
    message: z.looseObject({ text: z.string().optional(), media_group_id: z.string().optional() }).optional(),
    callback_query: z.looseObject({ id: z.string() }).optional(),
    inline_query: z.looseObject({ id: z.string() }).optional(),
    chosen_inline_result: z.looseObject({ inline_message_id: z.string().optional() }).optional(),
  }),
);

const placeSchema = z.looseObject({ message_id: z.number(), chat: z.looseObject({ id: z.number() }) });

export type Updates = z.infer<typeof updatesSchema>;

export type Reply = z.infer<typeof replySchema>;

export interface BotClient {
  readonly telegram: LocalTelegram;
  /** Calls a method with JSON parameters. */
  call(method: string, parameters?: Record<string, unknown>): Promise<Reply>;
  /** Calls a method with a multipart form. */
  upload(method: string, form: Record<string, string | File>): Promise<Reply>;
  /** Sends or edits a message and gives it as the chat holds it; fails the test when Telegram refuses. */
  send(parameters: Record<string, unknown>, method?: string): Promise<Message>;
  /** What `getUpdates` gives now, without waiting; confirmed by the next call of this. */
  updates(): Promise<Updates>;
  close(): Promise<void>;
}

/** Starts a local Telegram and a bot for it. */
export async function startBotClient(options: Partial<LocalTelegramOptions> = {}): Promise<BotClient> {
  const telegram = await startLocalTelegram({ token: TOKEN, ...options });
  const url = (method: string): string => `${telegram.apiRoot}/bot${TOKEN}/${method}`;
  let offset = 0;
  const call: BotClient['call'] = async (method, parameters = {}) => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(url(method), { method: 'POST', headers, body: JSON.stringify(parameters) });
    return replySchema.parse(await response.json());
  };
  return {
    telegram,
    call,
    upload: async (method, fields) => {
      const body = new FormData();
      for (const [name, value] of Object.entries(fields)) body.append(name, value);
      const response = await fetch(url(method), { method: 'POST', body });
      return replySchema.parse(await response.json());
    },
    send: async (parameters, method = 'sendMessage') => {
      const { ok, result, description } = await call(method, parameters);
      if (!ok) throw new Error(`${method}: ${description}`);
      const { chat, message_id } = placeSchema.parse(result);
      const sent = telegram.world.messages(chat).find((message) => message.message_id === message_id);
      if (!sent) throw new Error(`${method}: the answer names a message that is not there`);
      return sent;
    },
    updates: async () => {
      const { result } = await call('getUpdates', { offset });
      const updates = updatesSchema.parse(result);
      offset = (updates.at(-1)?.update_id ?? offset - 1) + 1;
      return updates;
    },
    close: () => telegram.close(),
  };
}

/** The smallest file that passes for a voice note: OGG with an Opus header. */
export function oggOpus(content = 'sound'): Buffer {
  return Buffer.concat([
    Buffer.from('OggS'),
    Buffer.alloc(24),
    Buffer.from('OpusHead'),
    Buffer.from(content),
  ]);
}

/** An upload as browsers and bots make it. */
export function file(bytes: Buffer, name: string, type: string): File {
  return new File([new Uint8Array(bytes)], name, { type });
}

/** An inline keyboard of these rows. */
export function keyboard(...rows: object[][]): Record<string, unknown> {
  return { inline_keyboard: rows };
}
