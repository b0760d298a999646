/** A local Telegram with a bot for it. */
import { z } from 'zod';
import { type LocalTelegramOptions, startLocalTelegram } from '../../telegram/local-telegram.ts';
import type { Message } from '../../telegram/objects.ts';
import { formOf, TestBot } from '../test-bot.ts';

export const TOKEN = '7000000001:AAexampleexampleexampleexampleexamp';

const placeSchema = z.looseObject({ message_id: z.number(), chat: z.looseObject({ id: z.number() }) });

export type BotClient = Awaited<ReturnType<typeof startBotClient>>;

/** Starts a local Telegram and a bot for it. */
export async function startBotClient(options: Partial<LocalTelegramOptions> = {}) {
  const telegram = await startLocalTelegram({ token: TOKEN, ...options });
  const bot = new TestBot(`${telegram.apiRoot}/bot${TOKEN}`);
  return {
    telegram,
    /** Calls a method with JSON parameters. */
    call: (method: string, parameters?: Record<string, unknown>) => bot.ask(method, parameters),
    /** Calls a method with a multipart form. */
    upload: (method: string, fields: Record<string, string | File>) => bot.ask(method, formOf(fields)),
    /** Sends or edits a message and gives it as the chat holds it; fails the test when Telegram refuses. */
    send: async (parameters: Record<string, unknown>, method = 'sendMessage'): Promise<Message> => {
      const { chat, message_id } = placeSchema.parse(await bot.call(method, parameters));
      const sent = telegram.world.messages(chat).find((message) => message.message_id === message_id);
      if (!sent) throw new Error(`${method}: the answer names a message that is not there`);
      return sent;
    },
    /** What `getUpdates` gives now, without waiting; confirmed by the next call of this. */
    updates: () => bot.updates(),
    close: () => telegram.close(),
  };
}

/** The smallest file that passes for a voice note: OGG with an Opus header. */
export function oggOpus(content = 'sound'): Buffer {
  const head = [Buffer.from('OggS'), Buffer.alloc(24), Buffer.from('OpusHead')];
  return Buffer.concat([...head, Buffer.from(content)]);
}

/** An inline keyboard of these rows. */
export function keyboard(...rows: object[][]): Record<string, unknown> {
  return { inline_keyboard: rows };
}
