/** A chat action for a request in the queue, from its receipt until its work begins and shows its own. */
import { setTimeout as delay } from 'node:timers/promises';
import type { UserFromGetMe } from 'telegraf/types';
import type { Queue } from '../../queue/queue.ts';
import type { Access } from '../../store/access/access.ts';
import type { BotApi } from '../api/api.ts';
import { takesChatAction } from '../outbox/chat-action.ts';
import { topicOf } from '../outbox/outbox.ts';
import { ephemeralId } from '../request/ephemeral.ts';
import { namesBot } from '../request/intent.ts';
import type { Received } from './receipt.ts';

/** Skip it for a request that begins sooner, in ms. */
const DUE_AFTER_MS = 100;
/** Telegram shows a chat action for 5 s, in ms. */
const RENEW_AFTER_MS = 4500;
/** Stop after a minute of waiting. */
const MAX_SIGNS = 13;

interface FirstSignDeps {
  readonly api: BotApi;
  readonly access: Pick<Access, 'isBlocked'>;
  readonly me: UserFromGetMe;
  readonly queue: Pick<Queue, 'isRunning' | 'requests'>;
}

/** Shows a chat action until a process begins the request. Throws Telegram's refusals, and `database`. */
export async function showWaiting(
  { api, access, me, queue }: FirstSignDeps,
  { parsed, part }: Received,
  request: number,
): Promise<void> {
  if (parsed?.kind !== 'request' || parsed.message === undefined) return;
  const { update, chat, message, asker } = parsed;
  const isAsked = chat.type === 'private' || 'callback_query' in update || (part && namesBot(part, me));
  const topic = topicOf(message);
  if (!isAsked || !takesChatAction(chat, topic, ephemeralId(message) !== undefined)) return;
  for (let sign = 0; sign < MAX_SIGNS; sign += 1) {
    await delay(sign === 0 ? DUE_AFTER_MS : RENEW_AFTER_MS, undefined, { ref: false });
    // Mostly it runs in this process, which saves a query to the database.
    if (queue.isRunning(request) || !(await queue.requests.isUntaken(request))) return;
    if (asker !== undefined && (await access.isBlocked(asker))) return;
    await api.sendChatAction(chat.id, 'typing', topic);
  }
}
