/** Answers messages that the bot cannot use: a sticker, a video, an unknown command. */
import type { BotContext } from '../src/telegram/context.ts';
import { notice } from '../src/telegram/outbox/answer.ts';

/** The fields of service messages that Telegram writes into a person's chat with the bot (Bot API, Message). */
const SERVICE_FIELDS = [
  'pinned_message',
  'forum_topic_created',
  'forum_topic_edited',
  'forum_topic_closed',
  'forum_topic_reopened',
  'checklist_tasks_done',
  'checklist_tasks_added',
  'message_auto_delete_timer_changed',
  'chat_background_set',
  'write_access_allowed',
] as const;

/** Says in one line what the bot can do; in a group only if a text, caption or command (`/nonsense@bot`) names the bot. */
export async function anythingElse(ctx: BotContext): Promise<void> {
  const { message, album, intent, isPrivate } = ctx;
  if (message === undefined || SERVICE_FIELDS.some((field) => field in message)) return;
  const isCommandByName = intent.kind === 'command' && intent.isByName;
  if (isPrivate || isCommandByName || album.some(({ mentionsBot }) => mentionsBot))
    await notice(ctx, 'anything-else');
}
