/** Who an update is from: whose lane, whose settings, whose bill. */

/** Bot API: anonymous admins, posts of a linked channel, and messages in a channel's name all come from these stand-in users. */
const STAND_INS: ReadonlySet<number> = new Set([1087968824, 777000, 136817688]);

export interface Origin {
  readonly from?: { readonly id: number } | undefined;
  readonly chat: { readonly id: number };
}

/** The id that stands for the person: theirs, or the chat's where a message has no person (spec §2, Groups). A press always has one. */
export function senderId({ from, chat }: Origin): string {
  return String(from === undefined || STAND_INS.has(from.id) ? chat.id : from.id);
}

/** A bot that speaks for itself; Telegram's stand-ins for anonymous admins and channels count as bots, too. */
export function isAnotherBot(from: { readonly id: number; readonly is_bot?: boolean } | undefined): boolean {
  return from?.is_bot === true && !STAND_INS.has(from.id);
}
