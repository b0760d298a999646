/** What kind of message an update brings, so that the right handler takes it. */
import type { Message } from 'telegraf/types';
import type { BotContext } from '../context.ts';
import { isCommand } from './command-in.ts';
import { pictureIn } from './picture-in.ts';

/** A photo, an image sent as a file, or an album of them. */
export function hasPicture(ctx: BotContext): boolean {
  return ctx.album.some((part) => pictureIn(part, ctx.bot.api) !== undefined);
}

/** A text that is no command. */
export function hasPlainText(ctx: BotContext): boolean {
  return ctx.message !== undefined && 'text' in ctx.message && !hasCommand(ctx);
}

/** A text that begins with a command; which one, its handlers tell. */
export function hasCommand({ message, botInfo }: BotContext): boolean {
  return message !== undefined && isCommand(message, botInfo);
}

/** A press on a button. */
export function hasPress({ callbackQuery }: BotContext): boolean {
  return callbackQuery !== undefined;
}

/** What Telegram itself writes into a private chat when something was done there (Bot API, Message). */
const SERVICE_FIELDS = [
  'pinned_message',
  'forum_topic_created',
  'forum_topic_edited',
  'forum_topic_closed',
  'forum_topic_reopened',
  'checklist_tasks_done',
  'checklist_tasks_added',
  'gift',
  'unique_gift',
  'gift_upgrade_sent',
  'boost_added',
  'refunded_payment',
  'proximity_alert_triggered',
  'message_auto_delete_timer_changed',
  'chat_background_set',
  'write_access_allowed',
  'connected_website',
  'users_shared',
  'user_shared',
  'chat_shared',
  'successful_payment',
  'managed_bot_created',
] as const;

/** A pinned message, a changed timer and the like: nobody said anything to the bot. */
export function isServiceMessage(message: Message): boolean {
  return SERVICE_FIELDS.some((field) => field in message);
}
