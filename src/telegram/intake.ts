/** How an update from Telegram goes into the queue: whose lane, which album, which press. */
import { z } from 'zod';
import type { Log } from '../log.ts';
import type { QueuedUpdate } from '../queue/queue.ts';
import type { BotApi } from './api.ts';
import { personId } from './identity.ts';
import { withSoundText } from './sound-text.ts';
import { isUsable } from './usable-update.ts';

const origin = {
  from: z.object({ id: z.number() }).optional(),
  chat: z.object({ id: z.number() }).optional(),
};

const message = z.object({
  ...origin,
  message_id: z.number(),
  media_group_id: z.string().optional(),
  migrate_to_chat_id: z.number().optional(),
  migrate_from_chat_id: z.number().optional(),
});

const pressed = z.object({
  ...origin,
  message: message.optional(),
  data: z.string().optional(),
});

const anyUpdate = z.looseObject({ update_id: z.int() });

/** The parts of an update that decide where it waits; a part of another shape counts as absent. */
const routing = z.object({
  message: message.optional().catch(undefined),
  callback_query: pressed.optional().catch(undefined),
  my_chat_member: z
    .object({ chat: z.object({ id: z.number() }) })
    .optional()
    .catch(undefined),
});

/** The kinds of update that the bot asks Telegram for. */
export const ALLOWED_UPDATES = [
  'message',
  'edited_message',
  'callback_query',
  'inline_query',
  'my_chat_member',
] as const;

/** Whether this is an update at all, of whatever kind. */
export function isUpdate(body: unknown): body is { update_id: number } {
  return anyUpdate.safeParse(body).success;
}

/** The update as the queue takes it; undefined for what the bot has no use for, and for an inline query, which is worthless later. */
export function toQueued(received: unknown): QueuedUpdate | undefined {
  const body = withSoundText(received);
  if (!isUsable(body)) return undefined;
  const { message, callback_query: press, my_chat_member: membership } = routing.parse(body);
  const content = Object.entries(body).find(([key]) => key !== 'update_id')?.[1];
  const source = message ?? press ?? z.object(origin).catch({}).parse(content);
  const isUpgrade = (message?.migrate_to_chat_id ?? message?.migrate_from_chat_id) !== undefined;
  // What befalls a chat is nobody's request: it waits for the chat alone.
  const from = isUpgrade || membership !== undefined ? undefined : source.from;
  const lane = personId({ from, chat: source.chat ?? press?.message?.chat, data: press?.data }) ?? 'nobody';
  const queued: QueuedUpdate = { lane, updateId: body.update_id, body };
  if (message?.media_group_id !== undefined) {
    return { ...queued, album: `${message.chat?.id}:${message.media_group_id}` };
  }
  if (press?.message !== undefined && press.data !== undefined) {
    // A client can send one press twice, under two update ids.
    const { chat, message_id } = press.message;
    return { ...queued, once: `${press.from?.id}:${chat?.id}:${message_id}:${press.data}` };
  }
  return queued;
}

const press = z.object({ callback_query: z.object({ id: z.string() }) });

/** Shows at once that a button was pressed, without waiting for the person's lane (spec §2); a stale press is no matter. */
export function acknowledge(api: BotApi, log: Log, body: unknown): void {
  const pressed = press.safeParse(body);
  if (!pressed.success) return;
  api.answerCbQuery(pressed.data.callback_query.id).catch((error: unknown) => {
    log.debug({ error }, 'a press was not acknowledged');
  });
}
