/** A chat action for a request in the queue, from its receipt until its work begins and shows its own. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Queue } from '../../queue/queue.ts';
import type { Access } from '../../store/access/access.ts';
import type { BotApi } from '../api/api.ts';
import { topicOf } from '../outbox/outbox.ts';
import type { ParserDeps } from '../request/command.ts';
import { ephemeralId } from '../request/ephemeral.ts';
import { namesBot } from '../request/intent.ts';
import { parseMessage } from '../request/parsed-message.ts';
import type { ParsedUpdate } from '../request/update.ts';

/** Skip it for a request that begins sooner, in ms. */
const DUE_AFTER_MS = 100;
/** Telegram shows a chat action for 5 s, in ms. */
const RENEW_AFTER_MS = 4500;
/** Stop after a minute of waiting. */
const MAX_SIGNS = 13;

type ParsedRequest = ParsedUpdate & { readonly kind: 'request' };

interface FirstSignDeps {
  readonly api: BotApi;
  readonly access: Pick<Access, 'isBlocked'>;
  readonly parser: ParserDeps;
  readonly queue: Pick<Queue, 'isRunning' | 'requests'>;
}

/** Shows a chat action until a process begins the request. Throws Telegram's refusals, and `database`. */
export async function showWaiting(
  { api, access, parser, queue }: FirstSignDeps,
  parsed: ParsedRequest,
  request: number,
): Promise<void> {
  const destination = destinationOf(parsed, parser);
  if (destination === undefined) return;
  for (let sign = 0; sign < MAX_SIGNS; sign += 1) {
    await delay(sign === 0 ? DUE_AFTER_MS : RENEW_AFTER_MS, undefined, { ref: false });
    // Mostly it runs in this process, which saves a query to the database.
    if (queue.isRunning(request) || !(await queue.requests.isUntaken(request))) return;
    if (parsed.asker !== undefined && (await access.isBlocked(parsed.asker))) return;
    await api.sendChatAction(destination.chat, 'typing', destination.topic);
  }
}

/** The chat and topic where the asker waits; undefined if nobody does, as far as the update shows. */
function destinationOf({ update, chat, message }: ParsedRequest, deps: ParserDeps) {
  if (message === undefined) return undefined;
  const topic = topicOf(message);
  // Channels and their direct messages have no chat actions (Bot API), and others should not notice an ephemeral message.
  const hasNone = chat.type === 'channel' || topic.direct_messages_topic_id !== undefined;
  if (hasNone || ephemeralId(message) !== undefined) return undefined;
  const isSaid = 'callback_query' in update || chat.type === 'private';
  if (!isSaid && !namesBot(parseMessage(message, deps), deps.me)) return undefined;
  return { chat: chat.id, topic };
}
