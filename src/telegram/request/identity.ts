/** Who an update is from (whose lane, whose settings, whose bill), and whether they are an admin of their group (spec §2, Groups). */
import type { Message } from 'telegraf/types';
import type { BotApi } from '../api/api.ts';
import { unlessRefused } from '../api/api-errors.ts';

/** Bot API: anonymous admins, posts of a linked channel, and messages in a channel's name all come from these stand-in users. */
const STAND_INS: ReadonlySet<number> = new Set([1087968824, 777000, 136817688]);

/** Whether Telegram has put this user in the place of a chat. */
export function isStandIn(id: number): boolean {
  return STAND_INS.has(id);
}

/** People; basic groups; supergroups and channels; direct messages of channels (core.telegram.org/api/bots/ids). */
const IDS = [
  [1, 0xff_ffff_ffff],
  [-999_999_999_999, -1],
  [-1_997_852_516_352, -1_000_000_000_001],
  [-4_000_000_000_000, -2_002_147_483_649],
] as const;
/** How the ids of supergroups begin: by itself it is what is left of one that was copied in part. */
const BARE_PREFIX = -100;

/** Whether somebody, or some chat, could have this id at Telegram. */
export function isPossibleId(id: number): boolean {
  return id !== BARE_PREFIX && IDS.some(([least, most]) => id >= least && id <= most);
}

export interface Origin {
  readonly from?: { readonly id: number } | undefined;
  readonly chat: { readonly id: number };
}

/** The id that stands for the person: theirs, or the chat's where a message has no person (spec §2, Groups). A callback query always has one. */
export function senderId({ from, chat }: Origin): string {
  return String(from === undefined || STAND_INS.has(from.id) ? chat.id : from.id);
}

/** A bot that speaks for itself; Telegram's stand-ins for anonymous admins and channels count as bots, too. */
export function isAnotherBot(from: { readonly id: number; readonly is_bot?: boolean } | undefined): boolean {
  return from?.is_bot === true && !STAND_INS.has(from.id);
}

/** Of the sender of a message, or a channel's post. */
export async function isFromGroupAdmin(
  api: Pick<BotApi, 'getChatMember'>,
  message: Message | undefined,
): Promise<boolean> {
  if (message === undefined) return false;
  const { from } = message;
  // Nobody else posts in a channel.
  if (message.chat.type === 'channel') return true;
  // An anonymous admin writes in the name of the group itself.
  if (message.sender_chat !== undefined) return message.sender_chat.id === message.chat.id;
  return from !== undefined && isGroupAdmin(api, message.chat.id, from.id);
}

/** Whether the bot, `me`, may write in a channel. */
export async function mayPost(
  api: Pick<BotApi, 'getChatMember'>,
  channel: number,
  me: number,
): Promise<boolean> {
  const member = await unlessRefused(api.getChatMember(channel, me));
  return member?.status === 'administrator' && member.can_post_messages === true;
}

/** Of any user; a callback query never is anonymous. */
export async function isGroupAdmin(
  api: Pick<BotApi, 'getChatMember'>,
  chat: number,
  user: number,
): Promise<boolean> {
  // A private chat has the id of its person; groups have negative ones (Bot API).
  if (chat > 0) return false;
  // Refused where Telegram knows no such member.
  const member = await unlessRefused(api.getChatMember(chat, user));
  return member?.status === 'creator' || member?.status === 'administrator';
}
