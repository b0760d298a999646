/** Sends voice notes: by file id if Telegram has them, as audio files if they are forbidden. */
import type { Voice } from 'telegraf/types';
import type { SpokenText } from '../../interpreter/speech.ts';
import { type Keyboard, markup } from '../answer/buttons.ts';
import { forbidsKind, forbidsVoice, rejectsFileId } from '../api/api-errors.ts';
import type { ReceivedContext } from '../context.ts';
import { fitsCaption } from '../request/additions.ts';
import type { Destination } from './outbox.ts';

interface VoiceOptions {
  /** Not longer than Telegram's limit; may show only the beginning of the text. */
  readonly caption: string;
  /** The whole spoken text. */
  readonly text: string;
  readonly keyboard: Keyboard;
  readonly replyTo?: number | false | undefined;
}

/** Sends a voice note as a reply; to a person or group that forbids voice notes, an audio file with the reason. */
export async function answerWithVoice(
  ctx: ReceivedContext,
  spoken: SpokenText,
  options: VoiceOptions,
): Promise<void> {
  const upload = async (destination: Destination) => {
    try {
      return await sendVoiceNote(ctx, spoken, options, destination);
    } catch (error) {
      if (!forbidsVoice(error)) throw error;
      return sendAudioFile(ctx, spoken, options, destination);
    }
  };
  await ctx.outbox.send({ upload, replyTo: options.replyTo });
}

/** Sends by file id if Telegram has the voice note; uploads it if not, or if Telegram has forgotten the id. */
async function sendVoiceNote(
  ctx: ReceivedContext,
  spoken: SpokenText,
  options: VoiceOptions,
  destination: Destination,
) {
  const { caption, keyboard } = options;
  const extra = { ...destination, reply_markup: markup(keyboard), duration: durationOf(spoken), caption };
  if (spoken.fileId !== undefined) {
    try {
      return await keepingText(ctx, await ctx.bot.api.sendVoice(ctx.chat.id, spoken.fileId, extra), options);
    } catch (error) {
      if (!rejectsFileId(error)) throw error;
    }
  }
  const sent = await ctx.bot.api.sendVoice(ctx.chat.id, await fileOf(spoken), extra);
  // Telegram omits `voice` if it took the file for something else.
  const { voice }: { readonly voice?: Partial<Voice> } = sent;
  if (voice?.file_id !== undefined) {
    await spoken.uploaded(voice.file_id).catch((error: unknown) => {
      ctx.bot.log.warn({ error }, 'storing a file id failed');
    });
  }
  return keepingText(ctx, sent, options);
}

async function sendAudioFile(
  ctx: ReceivedContext,
  spoken: SpokenText,
  options: VoiceOptions,
  destination: Destination,
) {
  const { caption, keyboard } = options;
  const reason = ctx.words(ctx.isPrivate ? 'voice-forbidden' : 'voice-forbidden-group');
  const explained = `${reason}\n\n${caption}`;
  const fits = fitsCaption(explained);
  if (!fits) await ctx.bot.api.sendMessage(ctx.chat.id, reason, destination);
  try {
    const sent = await ctx.bot.api.sendAudio(ctx.chat.id, await fileOf(spoken), {
      ...destination,
      reply_markup: markup(keyboard),
      duration: durationOf(spoken),
      caption: fits ? explained : caption,
      title: 'Lotsawa',
    });
    return keepingText(ctx, sent, options);
  } catch (error) {
    if (!forbidsKind(error)) throw error;
    // Send at least the text.
    return ctx.bot.api.sendMessage(ctx.chat.id, `${ctx.words('sound-forbidden')}\n\n${caption}`, destination);
  }
}

/**
 * Stores the text of a voice note whose caption shows only the beginning: later requests about the note use all of it (work/subject.ts).
 */
async function keepingText<M extends object>(
  ctx: ReceivedContext,
  sent: M,
  { caption, text }: VoiceOptions,
): Promise<M> {
  const { voice, audio }: { readonly voice?: Partial<Voice>; readonly audio?: Partial<Voice> } = sent;
  const sound = (voice ?? audio)?.file_unique_id;
  if (sound !== undefined && !caption.includes(text.trim())) {
    await ctx.bot.wholes.keep('voice-note', ctx.person, text, sound).catch((error: unknown) => {
      ctx.bot.log.warn({ error }, 'storing the text of a voice note failed');
    });
  }
  return sent;
}

async function fileOf(spoken: SpokenText) {
  return { source: await spoken.ogg(), filename: 'lotsawa.ogg' };
}

/** Telegram counts whole seconds, and shows none for 0. */
function durationOf({ durationSeconds }: SpokenText): number {
  return Math.max(1, Math.round(durationSeconds));
}
