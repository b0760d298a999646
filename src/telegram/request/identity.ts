/** The person or chat an update is from (whose lane, settings and limits apply), and whether they are a group admin. */
import type { Chat, Message, MessageOriginChannel } from 'telegraf/types';
import type { Log } from '../../log.ts';
import type { Access } from '../../store/access/access.ts';
import type { Asker } from '../../store/money/spending.ts';
import type { BotApi } from '../api/api.ts';
import { unlessRefused } from '../api/api-errors.ts';

/** Bot API: anonymous admins, posts of a linked channel, and messages in a channel's name come from these stand-in users. */
const STAND_INS: ReadonlySet<number> = new Set([1087968824, 777000, 136817688]);

export function isStandIn(id: number): boolean {
  return STAND_INS.has(id);
}

interface Origin {
  readonly from?: { readonly id: number } | undefined;
  readonly chat: { readonly id: number };
}

/** The id of the person, or of the chat if a message has no person. */
export function senderId({ from, chat }: Origin): string {
  return String(from === undefined || STAND_INS.has(from.id) ? chat.id : from.id);
}

export function askerOf({ from, chat }: Origin & { readonly chat: { readonly type: string } }): Asker {
  return { person: senderId({ from, chat }), group: chat.type === 'private' ? undefined : String(chat.id) };
}

/** Whether the sender is another bot. Telegram's stand-in users are marked as bots, too, but do not count. */
export function isAnotherBot(from: { readonly id: number; readonly is_bot?: boolean } | undefined): boolean {
  return from?.is_bot === true && !STAND_INS.has(from.id);
}

/** The channel's post, if this message is the copy of it that Telegram puts into the discussion group. */
export function copiedPost(message: Message): MessageOriginChannel | undefined {
  if (!('is_automatic_forward' in message) || message.forward_origin?.type !== 'channel') return undefined;
  return message.forward_origin;
}

interface NameDeps {
  readonly access: Pick<Access, 'noteName'>;
  readonly adminIds: readonly number[];
  readonly log: Log;
}

/** Stores the @names of the sender and their group, by which admins can name them (/allow, /block). */
export function noteNames(
  { access, adminIds, log }: NameDeps,
  { from, chat }: { readonly from: { id: number; username?: unknown } | undefined; readonly chat?: Chat },
): void {
  if (adminIds.length === 0) return;
  for (const one of chat?.type === 'private' ? [from] : [from, chat]) {
    if (one === undefined || STAND_INS.has(one.id) || !('username' in one)) continue;
    access
      .noteName(String(one.id), String(one.username))
      .catch((error: unknown) => log.warn({ error }, 'storing a name failed'));
  }
}

/** Whether a message, or a channel's post, comes from an admin of its chat. */
export async function isFromGroupAdmin(
  api: Pick<BotApi, 'getChatMember'>,
  message: Message | undefined,
): Promise<boolean> {
  if (message === undefined) return false;
  const { from } = message;
  // Only admins post in a channel.
  if (message.chat.type === 'channel') return true;
  // An anonymous admin writes as the group itself.
  if (message.sender_chat !== undefined) return message.sender_chat.id === message.chat.id;
  return from !== undefined && isGroupAdmin(api, message.chat.id, from.id);
}

/** Whether a user is an admin of a group. Callback queries are never anonymous, so this is enough for them. */
export async function isGroupAdmin(
  api: Pick<BotApi, 'getChatMember'>,
  chat: number,
  user: number,
): Promise<boolean> {
  // Groups have negative ids; a private chat has the id of its person (Bot API).
  if (chat > 0) return false;
  // Telegram refuses this for a user who is no member.
  const member = await unlessRefused(api.getChatMember(chat, user));
  return member?.status === 'creator' || member?.status === 'administrator';
}
