/** How voice notes go out: by their id where Telegram has them, and as audio files where they are forbidden. */
import type { Voice } from 'telegraf/types';
import type { SpokenText } from '../../interpreter/speech.ts';
import { truncate } from '../../language/truncate.ts';
import { forbidsKind, forbidsVoice, rejectsFileId } from '../api/api-errors.ts';
import type { BotContext } from '../context.ts';
import { type Place, placeOf } from '../message/place.ts';
import { inTopic } from './closed-topic.ts';
import { CAPTION_LIMIT, fitsCaption } from './sending.ts';

/** Sends a voice note as a reply; to a person or group that forbids them, the same as an audio file with the reason. */
export async function answerWithVoice(
  ctx: BotContext,
  spoken: SpokenText,
  caption: string,
  options: { replyTo?: number | undefined } = {},
): Promise<void> {
  const send = async (place: Place) => {
    try {
      return await sendVoiceNote(ctx, spoken, caption, place);
    } catch (error) {
      if (!forbidsVoice(error)) throw error;
      return sendAudioFile(ctx, spoken, caption, place);
    }
  };
  const place = placeOf(ctx, options.replyTo);
  await ctx.answering.post({ kind: 'other', send: () => inTopic(ctx, place, send) });
}

/** By its id where Telegram has it already; else, or where Telegram has forgotten it, as an upload. */
async function sendVoiceNote(ctx: BotContext, spoken: SpokenText, caption: string, place: Place) {
  const extra = {
    ...place,
    duration: durationOf(spoken),
    caption: truncate(caption, CAPTION_LIMIT),
  };
  if (spoken.fileId !== undefined) {
    const sent = await unlessForgotten(ctx.telegram.sendVoice(ctx.chat.id, spoken.fileId, extra));
    if (sent !== undefined) return sent;
  }
  const sent = await ctx.telegram.sendVoice(ctx.chat.id, fileOf(spoken), extra);
  // Where it takes the file for something else, Telegram says so by leaving `voice` out.
  const { voice }: { readonly voice?: Partial<Voice> } = sent;
  if (voice?.file_id === undefined) return sent;
  await spoken.uploaded(voice.file_id).catch((error: unknown) => {
    ctx.bot.log.warn({ error }, 'a file id was not kept');
  });
  return sent;
}

async function sendAudioFile(ctx: BotContext, spoken: SpokenText, caption: string, place: Place) {
  const reason = ctx.words(ctx.isPrivate ? 'voice-forbidden' : 'voice-forbidden-group');
  const explained = `${reason}\n\n${caption}`;
  const fits = fitsCaption(explained);
  if (!fits) await ctx.telegram.sendMessage(ctx.chat.id, reason, place);
  try {
    return await ctx.telegram.sendAudio(ctx.chat.id, fileOf(spoken), {
      ...place,
      duration: durationOf(spoken),
      caption: fits ? explained : truncate(caption, CAPTION_LIMIT),
      title: 'Lotsawa',
    });
  } catch (error) {
    if (!forbidsKind(error)) throw error;
    // What was to be spoken can still be read.
    const readable = `${ctx.words('sound-forbidden')}\n\n${truncate(caption, CAPTION_LIMIT)}`;
    return ctx.telegram.sendMessage(ctx.chat.id, readable, place);
  }
}

function fileOf({ ogg }: SpokenText) {
  return { source: ogg, filename: 'lotsawa.ogg' };
}

/** Telegram counts whole seconds, and shows none for 0. */
function durationOf({ durationSeconds }: SpokenText): number {
  return Math.max(1, Math.round(durationSeconds));
}

/** Undefined where Telegram no longer takes the file id that was sent; every other refusal is thrown. */
export async function unlessForgotten<M>(sending: Promise<M>): Promise<M | undefined> {
  try {
    return await sending;
  } catch (error) {
    if (!rejectsFileId(error)) throw error;
    return undefined;
  }
}
