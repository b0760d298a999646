/** The JSON protocol for groups and a person's own settings; the answers come as events. */
import { z } from 'zod';

const id = z.number().int();
const idText = z
  .string()
  .regex(/^-?\d+$/)
  .transform(Number);

/** The person who asks. */
export const actor = z.object({ personId: id });

/** `POST /api/groups`: a group, or a channel, of its maker alone. */
export const newGroup = z.object({
  personId: id,
  title: z.string().trim().min(1).max(128),
  kind: z.enum(['group', 'supergroup', 'forum', 'channel']),
});

/** `/api/groups/:chatId` */
export const groupAddress = z.object({ chatId: idText });

/** `PUT /api/groups/:chatId/members/:userId`: adds, promotes, demotes, removes; the bot too. */
export const memberAddress = z.object({ chatId: idText, userId: idText });
export const membership = z.object({
  personId: id,
  status: z.enum(['administrator', 'member', 'left']),
});

/** `PUT /api/groups/:chatId/anonymity`: of the one who asks. */
export const anonymity = z.object({ personId: id, isAnonymous: z.boolean() });

/** `POST /api/groups/:chatId/topics` */
export const newTopic = z.object({ personId: id, name: z.string().trim().min(1).max(128) });

/** `PUT /api/groups/:chatId/topics/:topicId`; `DELETE` there takes an `actor`. */
export const topicAddress = z.object({ chatId: idText, topicId: idText });
/** Of General where it may be that one: its id is `general`, and it has none in Telegram. */
export const anyTopicAddress = z.object({
  chatId: idText,
  topicId: idText.or(z.literal('general').transform(() => undefined)),
});
export const topicState = z.object({ personId: id, isClosed: z.boolean() });

/** `PUT /api/people/:personId`: only what changes. */
export const personAddress = z.object({ personId: idText });
export const privacy = z.object({ blocksBot: z.boolean().optional(), forbidsVoice: z.boolean().optional() });
