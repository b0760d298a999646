/** Who an update is from: whose lane, whose settings, whose bill. */

/** Bot API: anonymous admins, posts of a linked channel, and messages in a channel's name all come from these stand-in users. */
const STAND_INS: ReadonlySet<number> = new Set([1087968824, 777000, 136817688]);

export interface Origin {
  readonly from?: { readonly id: number } | undefined;
  readonly chat?: { readonly id: number } | undefined;
}

/** The id that stands for the person: theirs, or the chat's where a message has no person (spec §2, Groups). */
export function personId({ from, chat }: Origin): string | undefined {
  const id = from !== undefined && !STAND_INS.has(from.id) ? from.id : (chat?.id ?? from?.id);
  return id === undefined ? undefined : String(id);
}
