/** From one piece of text to its voice note, encoded while it comes. */
import type { Speaker } from '../language/speaker.ts';
import type { VoiceNote } from '../media/voice/voice-note.ts';
import { isBrokenOff } from '../service/calls/failure.ts';
import type { Asker } from '../store/money/scopes.ts';
import { accountOf } from './account.ts';
import { noteReuse } from './note-reuse.ts';
import { encodeRepeatably, proveEncoder } from './repeatable-encoding.ts';
import { createReplay } from './replay.ts';
import type { Tools } from './tools.ts';
import { dropSound, keepSound, recallSound } from './unencoded-sound.ts';

/** Speech that breaks off midway is tried once more, never oftener: each try is paid for (spec §3). */
const TRIES = 2;
/** Sound of four minutes, kept until its voice note is made. */
const MOST_KEPT_BYTES = 8 * 1024 * 1024;

/** A text that is spoken in one call. */
export interface Piece {
  readonly text: string;
  /** The key that a result of this piece alone would have. */
  readonly key: string;
}

export interface SynthesisOptions {
  readonly asker: Asker;
  readonly signal: AbortSignal;
}

/**
 * The voice note of a text of one call. If its speech breaks off, a new encoder starts from the beginning. Sound that no encoder takes,
 * or none yet, is kept, and encoded when the same is asked for again; while none works, nothing is paid for.
 */
export async function synthesise(
  tools: Tools,
  piece: Piece,
  speaker: Speaker,
  options: SynthesisOptions,
): Promise<VoiceNote> {
  const kept = await recallSound(tools, piece.key);
  if (kept !== undefined) return encodeKept(tools, piece, kept, options);
  await proveEncoder(tools.voiceEncoder, options.signal);
  return onceMoreIfBrokenOff(() => encodeSpoken(tools, piece, speaker, options));
}

/** Of sound that was paid for earlier. */
async function encodeKept(
  tools: Tools,
  { key }: Piece,
  sound: Buffer,
  { asker, signal }: SynthesisOptions,
): Promise<VoiceNote> {
  const note = await encodeRepeatably(tools.voiceEncoder, createReplay(just(sound), sound.length), signal);
  noteReuse(tools, asker, 'speech');
  dropSound(tools, key);
  return note;
}

/** Of sound that is paid for now. The call ends with this, at the latest. */
async function encodeSpoken(
  tools: Tools,
  { text, key }: Piece,
  speaker: Speaker,
  { asker, signal }: SynthesisOptions,
): Promise<VoiceNote> {
  const { service, voiceEncoder, ledger } = tools;
  const ended = new AbortController();
  const options = { signal: AbortSignal.any([signal, ended.signal]), meter: accountOf(ledger, asker) };
  async function* pcm(): AsyncGenerator<Buffer> {
    yield* await service.speak({ text, ...speaker }, options);
  }
  const sound = createReplay(pcm(), MOST_KEPT_BYTES);
  let keeping: Promise<void> | undefined;
  // A kill meanwhile would have it paid for again.
  const onDelay = (): void => {
    keeping ??= keepSound(tools, key, asker.person, sound.whole());
  };
  try {
    const note = await encodeRepeatably(voiceEncoder, sound, signal, onDelay);
    void keeping?.then(() => dropSound(tools, key));
    return note;
  } catch (error) {
    await keeping;
    throw error;
  } finally {
    // Not waited for: it ends with what it is waiting for itself, and that ends with the call.
    sound.close().catch(() => {});
    ended.abort();
  }
}

async function* just(sound: Buffer): AsyncGenerator<Buffer> {
  yield sound;
}

async function onceMoreIfBrokenOff<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isBrokenOff(error) || attempt >= TRIES) throw error;
    }
  }
}
