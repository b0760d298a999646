/** A mention of the bot in a chat where it is a guest (Bot API 10.0, `guest_message`), of which Telegraf's types know nothing. */
import type { Message, User } from 'telegraf/types';
import { z } from 'zod';
import { GUEST_KIND, isUpdate, message, user } from '../intake/usable-update.ts';
import { isAnotherBot } from '../request/identity.ts';

/** What mentions the bot; its chat is not one of the bot's, though it may have the same id as one of those. */
export type GuestMessage = Message & { readonly from: User; readonly guest_query_id: string };

interface GuestUpdate {
  readonly update_id: number;
  readonly guest_message: GuestMessage;
}

const guestUpdate = z.looseObject({
  [GUEST_KIND]: message.extend({ from: user, guest_query_id: z.string().min(1) }),
});

/** Whether an update is a person's guest query; two bots that answer each other would never stop. */
export function isGuestUpdate(body: unknown): body is GuestUpdate {
  const parsed = isUpdate(body) ? guestUpdate.safeParse(body) : undefined;
  return parsed?.success === true && !isAnotherBot(parsed.data[GUEST_KIND].from);
}
