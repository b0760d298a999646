/** Sends one message of an answer: as a reply, in its forum topic or in General, and in a group at the group's pace. */
import type { Message, MessageEntity } from 'telegraf/types';
import { type Keyboard, markup } from '../answer/buttons.ts';
import { UNKNOWN_MESSAGE_ID } from '../api/api.ts';
import { isRefusal, isTopicGone, unlessRefused } from '../api/api-errors.ts';
import type { ReceivedContext } from '../context.ts';
import type { TextEntity } from '../request/additions.ts';
import type { ForOne } from '../request/ephemeral.ts';
import { editText } from './editing.ts';

/** The name of a long answer's file. The bot knows its own files by it (subject.ts). */
export const TEXT_FILE_NAME = 'lotsawa.txt';

/** Parameters of every message that is sent. */
export interface Place {
  readonly reply_parameters?: { readonly message_id: number; readonly allow_sending_without_reply: boolean };
  readonly message_thread_id?: number | undefined;
}

/** Under the message that asked, or `replyTo`, in the same forum topic. */
export function placeOf(ctx: ReceivedContext, replyTo: number | undefined): Place {
  const target = replyTo ?? ctx.msg?.message_id;
  return {
    ...(target === undefined || target === UNKNOWN_MESSAGE_ID
      ? {}
      : { reply_parameters: { message_id: target, allow_sending_without_reply: true } }),
    ...topicOf(ctx),
  };
}

/** The forum topic of what was asked, as parameters; none outside of topics. */
export function topicOf(ctx: ReceivedContext): Pick<Place, 'message_thread_id'> {
  const message: Partial<Message> = ctx.msg ?? {};
  return 'is_topic_message' in message && message.is_topic_message === true
    ? { message_thread_id: message.message_thread_id }
    : {};
}

interface TextPlacing {
  readonly keyboard?: Keyboard | undefined;
  readonly place: Place;
  /** See `AnswerOptions` in answer.ts. */
  readonly forNow?: 'text' | 'question' | undefined;
  /** Formatting. Never made from markup, since people's texts could contain it. */
  readonly entities?: readonly TextEntity[] | undefined;
}

/** Sends a text that fits one message, or edits the message that it replaces. */
export async function postText(
  ctx: ReceivedContext,
  text: string,
  { keyboard, place, forNow, entities }: TextPlacing,
): Promise<void> {
  const extra = {
    link_preview_options: { is_disabled: true },
    ...(keyboard === undefined ? {} : { reply_markup: markup(keyboard) }),
    // See TextEntity: hence the cast.
    ...(entities?.length ? { entities: [...entities] as MessageEntity[] } : {}),
  };
  const send = (place: Place) => ctx.bot.api.sendMessage(ctx.chat.id, text, { ...place, ...extra });
  await ctx.outbox.post({
    kind: forNow ?? 'text',
    send: () => inTopic(ctx, place, send, (chat) => ctx.bot.api.sendMessage(chat, text, extra)),
    edit: (messageId) => editText(ctx, ctx.chat.id, messageId, text, extra),
    isForNow: forNow !== undefined,
  });
}

/** Sends a text of any length as a file. */
export async function postTextFile(
  ctx: ReceivedContext,
  text: string,
  { keyboard, place, caption = ctx.words('whole-text') }: TextPlacing & { readonly caption?: string },
): Promise<void> {
  const file = { source: Buffer.from(text, 'utf8'), filename: TEXT_FILE_NAME };
  const extra = {
    caption,
    ...(keyboard === undefined ? {} : { reply_markup: markup(keyboard) }),
  };
  await postMedia(ctx, place, (place) => ctx.bot.api.sendDocument(ctx.chat.id, file, { ...place, ...extra }));
}

/** Sends a message that is no text: `send` gets the place where it goes. */
export async function postMedia(
  ctx: ReceivedContext,
  place: Place,
  send: (place: Place) => Promise<Message>,
): Promise<void> {
  await ctx.outbox.post({ kind: 'media', send: () => inTopic(ctx, place, send) });
}

/**
 * Sends an ephemeral answer to an ephemeral request. If Telegram no longer accepts that, a personal answer goes to the private chat
 * (`inPrivate`) or is not sent at all; any other goes to the group.
 */
async function toOneAlone<T>(
  ctx: ReceivedContext,
  { forOne, from }: { forOne: ForOne; from: number },
  send: (place: Place) => Promise<T>,
  inPrivate: ((chat: number) => Promise<T>) | undefined,
): Promise<T | undefined> {
  try {
    // See ForOne: hence the cast.
    const place: object = { ...topicOf(ctx), ...forOne };
    return await send(place as Place);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    ctx.bot.log.debug({ error }, 'an ephemeral answer was refused');
    if (isPersonal(ctx)) {
      if (inPrivate === undefined) throw error;
      return inPrivate(from);
    }
    ctx.forOne = undefined;
    return undefined;
  }
}

/** Whether what is asked tells of a person, so that it is never answered in public where it was asked in private. */
function isPersonal({ asked, person, chat }: ReceivedContext): boolean {
  const asks =
    asked.kind === 'command' ? asked.command : asked.kind === 'callback' && asked.matched?.callback;
  // What is asked in the chat's own name is the chat's.
  return typeof asks === 'object' && asks.isPersonal === true && person !== String(chat.id);
}

/**
 * Sends to its place; if its topic is gone, to General, where no reply can lead into a topic. Throws what Telegram answers where General is
 * closed, too (`sayTopicsClosed`).
 */
async function inTopic<T>(
  ctx: ReceivedContext,
  place: Place,
  send: (place: Place) => Promise<T>,
  inPrivate?: (chat: number) => Promise<T>,
): Promise<T> {
  const { forOne, from } = ctx;
  if (forOne !== undefined && from !== undefined) {
    const sent = await toOneAlone(ctx, { forOne, from: from.id }, send, inPrivate);
    if (sent !== undefined) return sent;
  }
  try {
    return await send(place);
  } catch (error) {
    if (place.message_thread_id === undefined || !isTopicGone(error)) throw error;
    return send(ctx.isPrivate ? { ...place, message_thread_id: undefined } : {});
  }
}

/**
 * Where General is closed, too, the asker is told in the private chat. An anonymous admin has none, and a bot may not write to a person
 * who never opened it: they see for themselves that the topic is closed.
 */
export async function sayTopicsClosed(ctx: ReceivedContext): Promise<void> {
  const { from, message, chat, isOverheard } = ctx;
  if (from === undefined || message?.sender_chat !== undefined || isOverheard || !('title' in chat)) return;
  await unlessRefused(ctx.bot.api.sendMessage(from.id, ctx.words('topics-closed', { group: chat.title })));
}
