/** From one piece of text to its voice note, encoded while it comes. */
import { isFailure } from '../errors.ts';
import type { Speaker } from '../language/speaker.ts';
import type { VoiceEncoder, VoiceNote } from '../media/voice/voice-note.ts';
import { isBrokenOff } from '../service/failure.ts';
import { isShortage, outlastShortage } from '../shortage.ts';
import type { Asker } from '../store/money/scopes.ts';
import { accountOf } from './account.ts';
import { noteReuse } from './note-reuse.ts';
import { createReplay, type Replay } from './replay.ts';
import type { Tools } from './tools.ts';
import { dropSound, keepSound, recallSound } from './unencoded-sound.ts';

/** Speech that breaks off midway is tried once more, never oftener: each try is paid for (spec §3). */
const TRIES = 2;
/** For how long an encoder is waited for that the machine has no room for: longer than idle connections hold a file descriptor. */
const SHORTAGE = { firstMs: 250, mostMs: 8000, withinMs: 100_000 };
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
 * The voice note of a text of one call. If its speech breaks off, a new encoder starts from the beginning. Sound that no encoder takes
 * is kept, and encoded when the same is asked for again; while none works, nothing is paid for.
 */
export async function synthesise(
  tools: Tools,
  { text, key }: Piece,
  speaker: Speaker,
  { asker, signal }: SynthesisOptions,
): Promise<VoiceNote> {
  const { service, voiceEncoder, ledger } = tools;
  const kept = await recallSound(tools, key);
  if (kept !== undefined) {
    const note = await encodeRepeatably(voiceEncoder, createReplay(just(kept), kept.length), signal);
    noteReuse(tools, asker, 'speech');
    dropSound(tools, key);
    return note;
  }
  await outlastShortage(() => voiceEncoder.prove(signal), { ...SHORTAGE, signal });
  const ended = new AbortController();
  const options = { signal: AbortSignal.any([signal, ended.signal]), meter: accountOf(ledger, asker) };
  async function* pcm(): AsyncGenerator<Buffer> {
    yield* await service.speak({ text, ...speaker }, options);
  }
  const encode = async (): Promise<VoiceNote> => {
    const sound = createReplay(pcm(), MOST_KEPT_BYTES);
    let keeping: Promise<void> | undefined;
    const onFailure = (): void => {
      keeping ??= keepSound(tools, key, asker.person, sound.whole());
    };
    try {
      const note = await encodeRepeatably(voiceEncoder, sound, signal, onFailure);
      void keeping?.then(() => dropSound(tools, key));
      return note;
    } catch (error) {
      await keeping;
      throw error;
    } finally {
      // Not waited for: it ends with what it is waiting for itself, and that ends with the call.
      sound.close().catch(() => {});
    }
  };
  try {
    return await onceMoreIfBrokenOff(encode);
  } finally {
    ended.abort();
  }
}

/**
 * A failing encoder is no reason to pay again: the next one is given what has come already, and the rest. A shortage of the machine's is
 * waited out; after any other failure there is one more encoder. `onFailure` is told of each.
 */
async function encodeRepeatably(
  voiceEncoder: VoiceEncoder,
  sound: Replay,
  signal: AbortSignal,
  onFailure: () => void = () => {},
): Promise<VoiceNote> {
  // Any other kind of failure comes from the speech itself, and no more of that can be had.
  const mayRepeat = (error: unknown): boolean => isFailure(error, 'audio') && sound.canRepeat();
  const patience = { ...SHORTAGE, signal, mayRepeat, onShortage: onFailure };
  const encode = (): Promise<VoiceNote> =>
    outlastShortage(() => voiceEncoder.encode(sound.listen(), signal), patience).catch((error: unknown) => {
      if (isFailure(error, 'audio')) onFailure();
      throw error;
    });
  return encode().catch((error: unknown) => {
    if (isShortage(error) || !mayRepeat(error)) throw error;
    return encode();
  });
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
