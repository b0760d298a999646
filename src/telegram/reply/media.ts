/** Sends voice notes: by file id if Telegram has them, as audio files if they are forbidden. Also speaks the bot's own sentences. */
import type { Voice } from 'telegraf/types';
import { type SpokenText, speakInTurn } from '../../interpreter/speech.ts';
import type { Dialect } from '../../language/variety.ts';
import { forbidsKind, forbidsVoice, rejectsFileId } from '../api/api-errors.ts';
import type { ReceivedContext } from '../context.ts';
import type { Destination } from '../outbox/destination.ts';
import type { OutgoingText } from '../outbox/outbox.ts';
import { fitsCaption } from '../request/additions.ts';
import { type Keyboard, markup } from './buttons.ts';

interface VoiceOptions extends Pick<OutgoingText, 'key' | 'said' | 'replyTo'> {
  /** Not longer than Telegram's limit; may show only the beginning of the text. */
  readonly caption: string;
  /** The whole spoken text. */
  readonly text: string;
  readonly keyboard: Keyboard;
}

/** Sends a voice note as a reply; to a person or group that forbids voice notes, an audio file with the reason. */
export async function answerWithVoice(
  ctx: ReceivedContext,
  spoken: SpokenText,
  options: VoiceOptions,
): Promise<void> {
  const upload = async (destination: Destination) => {
    const sent: {
      readonly message_id: number;
      readonly voice?: Partial<Voice>;
      readonly audio?: Partial<Voice>;
    } = await sendSound(ctx, spoken, options, destination);
    await keepText(ctx, (sent.voice ?? sent.audio)?.file_unique_id, options);
    return sent;
  };
  const { key, said, replyTo } = options;
  await ctx.outbox.send({ key, said, upload, replyTo });
}

/** Sends by file id if Telegram has the voice note; uploads it if not, or if Telegram has forgotten the id. */
async function sendSound(
  ctx: ReceivedContext,
  spoken: SpokenText,
  { caption, keyboard }: VoiceOptions,
  destination: Destination,
) {
  const { api, log } = ctx.bot;
  const { fileId, durationSeconds } = spoken;
  const file = async () => ({ source: await spoken.ogg(), filename: 'lotsawa.ogg' });
  // Telegram counts whole seconds, and shows none for 0.
  const duration = Math.max(1, Math.round(durationSeconds));
  const extra = { ...destination, reply_markup: markup(keyboard), duration };
  try {
    if (fileId !== undefined) {
      try {
        return await api.sendVoice(ctx.chat.id, fileId, { ...extra, caption });
      } catch (error) {
        if (!rejectsFileId(error)) throw error;
      }
    }
    const sent = await api.sendVoice(ctx.chat.id, await file(), { ...extra, caption });
    // Telegram omits `voice` if it took the file for something else.
    const { voice }: { readonly voice?: Partial<Voice> } = sent;
    if (voice?.file_id !== undefined)
      await spoken.uploaded(voice.file_id).catch((error: unknown) => {
        log.warn({ error }, 'storing a file id failed');
      });
    return sent;
  } catch (error) {
    if (!forbidsVoice(error)) throw error;
  }
  const explained = `${ctx.words(ctx.isPrivate ? 'voice-forbidden' : 'voice-forbidden-group')}\n\n${caption}`;
  try {
    const audio = { ...extra, caption: fitsCaption(explained) ? explained : caption, title: 'Lotsawa' };
    return await api.sendAudio(ctx.chat.id, await file(), audio);
  } catch (error) {
    if (!forbidsKind(error)) throw error;
    // Send at least the text.
    return api.sendMessage(ctx.chat.id, `${ctx.words('sound-forbidden')}\n\n${caption}`, destination);
  }
}

/** Keeps the text of a voice note whose caption shows only its beginning: later requests about the note use it (work/subject.ts). */
async function keepText(
  { bot, asker }: ReceivedContext,
  sound: string | undefined,
  { caption, text }: VoiceOptions,
): Promise<void> {
  if (sound === undefined || caption.includes(text.trim())) return;
  await bot.results.keepVoiceText(sound, asker, text).catch((error: unknown) => {
    bot.log.warn({ error }, 'storing the text of a voice note failed');
  });
}

/** The time limit of a spoken sentence, in ms: the person's next request waits for it. */
const PATIENCE_MS = 20_000;

interface Spoken extends Pick<VoiceOptions, 'replyTo'> {
  readonly caption?: string;
  readonly keyboard?: Keyboard | undefined;
}

/**
 * Speaks a sentence of `locales/` in these dialects, one after another: for people who do not read, always in Tibetan. It is spoken once for
 * everybody, kept, and sent by its file id. The text goes out in writing, too, so a failure is only logged.
 */
export async function sayAloud(
  ctx: ReceivedContext,
  id: string,
  dialects: readonly Dialect[],
  { caption = '', keyboard = [], replyTo = false }: Spoken = {},
): Promise<void> {
  const { bot } = ctx;
  // Everybody hears the same note, so it counts for nobody's share.
  const asker = { person: String(bot.me.id), group: undefined };
  try {
    const text = bot.words('bo', id);
    const signal = AbortSignal.any([ctx.signal, AbortSignal.timeout(PATIENCE_MS)]);
    const speakers = dialects.map((variety) => ({ variety }));
    const note = await speakInTurn(bot.interpreter, text, speakers, { asker, signal });
    await answerWithVoice(ctx, note, { key: `aloud:${id}`, caption, text, keyboard, replyTo });
  } catch (error) {
    bot.log.info({ error, id }, 'speaking a sentence failed');
  }
}

/** Speaks a sentence to a person who has answers spoken, in their private chat; its buttons stand under what they hear, too. */
export async function sayToListener(ctx: ReceivedContext, id: string, how: Spoken = {}): Promise<void> {
  if (ctx.isPrivate && ctx.session?.spoken) await sayAloud(ctx, id, [ctx.session.dialect], how);
}
