/** How answers go out: as replies in the right topic, cut to what a message holds, and never as markup. */
import type { Message } from 'telegraf/types';
import type { SpokenText } from '../interpreter/speech.ts';
import { splitForTelegram } from '../language/split.ts';
import { truncate } from '../language/truncate.ts';
import { forbidsVoice, isBeyondEditing, isNotModified, rejectsFileId } from './api-remedies.ts';
import { type Keyboard, markup } from './buttons.ts';
import type { BotContext } from './context.ts';
import type { Arguments } from './locale.ts';

/** Telegram's limit for captions, in UTF-16 units after entity parsing. */
const CAPTION_LIMIT = 1024;

export interface AnswerOptions {
  /** Buttons for each message of the answer: they act on the text of the message that they hang on. */
  readonly keyboard?: (text: string) => Keyboard;
  /** The message to reply to, in place of the one that asked. */
  readonly replyTo?: number | undefined;
  /** True for what may be said again when the request is handled again. */
  readonly isRepeatable?: boolean;
}

/** Sends a result of any length as a reply; a longer one goes out as several messages, cut at the best boundaries. */
export async function answer(ctx: BotContext, text: string, options: AnswerOptions = {}): Promise<void> {
  for (const piece of splitForTelegram(text).filter((part) => part.trim() !== '')) {
    await postText(ctx, piece, {
      keyboard: options.keyboard?.(piece),
      place: placeOf(ctx, options.replyTo),
      isRepeatable: options.isRepeatable,
    });
  }
}

interface TextPlacing {
  readonly keyboard?: Keyboard | undefined;
  readonly place: ReturnType<typeof placeOf>;
  readonly isRepeatable?: boolean | undefined;
}

async function postText(ctx: BotContext, text: string, { keyboard, place, isRepeatable }: TextPlacing) {
  const extra = {
    link_preview_options: { is_disabled: true },
    ...(keyboard === undefined ? {} : { reply_markup: markup(keyboard) }),
  };
  const send = () => {
    const whole = { ...place, ...extra };
    if (ctx.isPrivate) return ctx.telegram.sendMessage(chatOf(ctx), text, whole);
    return ctx.bot.sendToGroup({ group: chatOf(ctx), text, name: nameOf(ctx), extra: whole, signal: ctx.stopping });
  };
  await ctx.answering.post({
    kind: 'text',
    send,
    edit: (messageId) => editText(ctx, chatOf(ctx), messageId, text, extra),
    isRepeatable,
  });
}

/** False where the message is beyond editing: whoever deleted it does not want it again. */
async function editText(
  ctx: BotContext,
  chat: number,
  messageId: number,
  text: string,
  extra: Parameters<BotContext['telegram']['editMessageText']>[4] = {},
): Promise<boolean> {
  try {
    await ctx.telegram.editMessageText(chat, messageId, undefined, text, extra);
    return true;
  } catch (error) {
    if (isNotModified(error)) return true;
    if (!isBeyondEditing(error)) throw error;
    return false;
  }
}

export interface NoticeOptions {
  readonly args?: Arguments;
  readonly keyboard?: Keyboard;
  readonly replyTo?: number | undefined;
}

/** Says a sentence of `locales/`; as a reply in groups, where others talk in between. */
export async function notice(ctx: BotContext, id: string, options: NoticeOptions = {}): Promise<void> {
  const { replyTo, keyboard, args } = options;
  const place = ctx.isPrivate && replyTo === undefined ? {} : placeOf(ctx, replyTo);
  await postText(ctx, ctx.words(id, args), { keyboard, place });
}

/** Says that a choice was taken: in place of the buttons where one was pressed, else as a message. */
export async function confirm(ctx: BotContext, id: string, args?: Arguments): Promise<void> {
  const pressed = ctx.callbackQuery?.message;
  if (pressed === undefined) return notice(ctx, id, args === undefined ? {} : { args });
  const isEdited = await editText(ctx, pressed.chat.id, pressed.message_id, ctx.words(id, args));
  if (!isEdited) await notice(ctx, id, args === undefined ? {} : { args });
}

/** Sends a picture with what it shows in words; words that do not fit under it come after it. */
export async function answerWithPicture(ctx: BotContext, png: Buffer, words: string): Promise<void> {
  const place = placeOf(ctx, undefined);
  const caption = fitsCaption(words) ? { caption: words } : {};
  const file = { source: png, filename: 'lotsawa.png' };
  await ctx.answering.post({
    kind: 'other',
    send: () => ctx.telegram.sendPhoto(chatOf(ctx), file, { ...place, ...caption }),
  });
  if (!fitsCaption(words)) await answer(ctx, words);
}

/** Sends a voice note as a reply; to a person who forbids them, the same as an audio file with the reason. */
export async function answerWithVoice(
  ctx: BotContext,
  spoken: SpokenText,
  caption: string,
  options: { replyTo?: number | undefined } = {},
): Promise<void> {
  const send = async () => {
    try {
      return await sendVoiceNote(ctx, spoken, caption, options.replyTo);
    } catch (error) {
      if (!forbidsVoice(error)) throw error;
      return sendAudioFile(ctx, spoken, caption, options.replyTo);
    }
  };
  await ctx.answering.post({ kind: 'other', send });
}

/** By its id where Telegram has it already; else, or where Telegram has forgotten it, as an upload. */
async function sendVoiceNote(
  ctx: BotContext,
  spoken: SpokenText,
  caption: string,
  replyTo: number | undefined,
) {
  const extra = {
    ...placeOf(ctx, replyTo),
    duration: durationOf(spoken),
    caption: truncate(caption, CAPTION_LIMIT),
  };
  if (spoken.fileId !== undefined) {
    const sent = await unlessForgotten(ctx.telegram.sendVoice(chatOf(ctx), spoken.fileId, extra));
    if (sent !== undefined) return sent;
  }
  const sent = await ctx.telegram.sendVoice(chatOf(ctx), fileOf(spoken), extra);
  await spoken.uploaded(sent.voice.file_id).catch((error: unknown) => {
    ctx.bot.log.warn({ error }, 'a file id was not kept');
  });
  return sent;
}

async function sendAudioFile(
  ctx: BotContext,
  spoken: SpokenText,
  caption: string,
  replyTo: number | undefined,
) {
  const explained = `${ctx.words('voice-forbidden')}\n\n${caption}`;
  const fits = fitsCaption(explained);
  if (!fits) await ctx.telegram.sendMessage(chatOf(ctx), ctx.words('voice-forbidden'), placeOf(ctx, replyTo));
  return ctx.telegram.sendAudio(chatOf(ctx), fileOf(spoken), {
    ...placeOf(ctx, replyTo),
    duration: durationOf(spoken),
    caption: fits ? explained : truncate(caption, CAPTION_LIMIT),
    title: 'Lotsawa',
  });
}

function fileOf({ ogg }: SpokenText) {
  return { source: ogg, filename: 'lotsawa.ogg' };
}

/** Telegram counts whole seconds, and shows none for 0. */
function durationOf({ durationSeconds }: SpokenText): number {
  return Math.max(1, Math.round(durationSeconds));
}

/** Undefined where Telegram no longer takes the file id that was sent; every other refusal is thrown. */
async function unlessForgotten<M>(sending: Promise<M>): Promise<M | undefined> {
  try {
    return await sending;
  } catch (error) {
    if (!rejectsFileId(error)) throw error;
    return undefined;
  }
}

/** Whether a caption of this text goes out whole. */
export function fitsCaption(text: string): boolean {
  return text.length <= CAPTION_LIMIT;
}

function chatOf(ctx: BotContext): number {
  if (ctx.chat === undefined) throw new Error(`an update of kind ${ctx.updateType} has no chat to answer in`);
  return ctx.chat.id;
}

/** Who asked, as a group knows them. */
function nameOf({ message, from, chat }: BotContext): string {
  const sender = message?.sender_chat ?? chat;
  if (message?.sender_chat === undefined && from !== undefined) return from.first_name;
  return sender !== undefined && 'title' in sender ? sender.title : '';
}

/** Where an answer belongs: under the message that asked, in the same forum topic. */
export function placeOf(ctx: BotContext, replyTo: number | undefined) {
  const message: Partial<Message> & { message_id?: number } = ctx.msg ?? {};
  const target = replyTo ?? message.message_id;
  return {
    ...(target === undefined
      ? {}
      : { reply_parameters: { message_id: target, allow_sending_without_reply: true } }),
    ...('is_topic_message' in message && message.is_topic_message === true
      ? { message_thread_id: message.message_thread_id }
      : {}),
  };
}
