/** From one piece of text to its voice note, encoded while it comes. */
import { isFailure, isShortage } from '../errors.ts';
import type { Speaker } from '../language/variety.ts';
import type { VoiceEncoder, VoiceNote } from '../media/voice/voice-note.ts';
import { outlastShortage, patiently } from '../patience.ts';
import { isBrokenOff } from '../service/calls/failure.ts';
import type { Asker } from '../store/money/scopes.ts';
import { meterOf, noteReuse } from './account.ts';
import type { Deps } from './deps.ts';
import { ifReadable } from './pay-once.ts';
import { createReplay, type Replay } from './replay.ts';
import { soundKey } from './request.ts';

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

interface SynthesisOptions {
  readonly asker: Asker;
  readonly signal: AbortSignal;
}

/**
 * The voice note of a text of one call. If its speech breaks off, a new encoder starts from the beginning. Sound that no encoder takes,
 * or none yet, is kept, and encoded when the same is asked for again; while none works, nothing is paid for.
 */
export async function synthesise(
  deps: Deps,
  piece: Piece,
  speaker: Speaker,
  options: SynthesisOptions,
): Promise<VoiceNote> {
  const kept = await recallSound(deps, piece.key);
  if (kept !== undefined) return encodeKept(deps, piece, kept, options);
  await proveEncoder(deps.voiceEncoder, options.signal);
  return patiently(
    () => encodeSpoken(deps, piece, speaker, options),
    (error, attempt) => (isBrokenOff(error) && attempt < TRIES ? 0 : undefined),
  );
}

/** Of sound that was paid for earlier. */
async function encodeKept(
  deps: Deps,
  { key }: Piece,
  sound: Buffer,
  { asker, signal }: SynthesisOptions,
): Promise<VoiceNote> {
  const note = await encodeRepeatably(deps.voiceEncoder, createReplay(just(sound), sound.length), signal);
  noteReuse(deps, asker, 'speech');
  dropSound(deps, key);
  return note;
}

/** Of sound that is paid for now. The call ends with this, at the latest. */
async function encodeSpoken(
  deps: Deps,
  { text, key }: Piece,
  speaker: Speaker,
  { asker, signal }: SynthesisOptions,
): Promise<VoiceNote> {
  const { provider, voiceEncoder } = deps;
  const ended = new AbortController();
  const options = { signal: AbortSignal.any([signal, ended.signal]), meter: meterOf(deps, asker) };
  async function* pcm(): AsyncGenerator<Buffer> {
    yield* await provider.speak({ text, ...speaker }, options);
  }
  const sound = createReplay(pcm(), MOST_KEPT_BYTES);
  let keeping: Promise<void> | undefined;
  // A kill meanwhile would have it paid for again.
  const onDelay = (): void => {
    keeping ??= keepSound(deps, key, asker.person, sound.whole());
  };
  try {
    const note = await encodeRepeatably(voiceEncoder, sound, signal, onDelay);
    void keeping?.then(() => dropSound(deps, key));
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

/** For how long an encoder is waited for that the machine has no room for: longer than idle connections hold a file descriptor. */
const SHORTAGE = { firstMs: 250, mostMs: 8000, withinMs: 100_000 };

/** Resolves once an encoder can be had that works; throws as `VoiceEncoder.prove` does where none can. */
async function proveEncoder(voiceEncoder: VoiceEncoder, signal: AbortSignal): Promise<void> {
  await outlastShortage(() => voiceEncoder.prove(signal), { ...SHORTAGE, signal });
}

/**
 * Throws as `VoiceEncoder.encode` does. After a failure of the encoder, the next one is given what has come already, and the rest: a
 * shortage of the machine's is waited out, after any other failure there is one more encoder. `onDelay` is told of each, and where
 * others are encoded first: the note may be long in coming.
 */
async function encodeRepeatably(
  voiceEncoder: VoiceEncoder,
  sound: Replay,
  signal: AbortSignal,
  onDelay: () => void = () => {},
): Promise<VoiceNote> {
  // Any other kind of failure comes from the speech itself, and no more of that can be had.
  const mayRepeat = (error: unknown): boolean => isFailure(error, 'audio') && sound.canRepeat();
  const patience = { ...SHORTAGE, signal, mayRepeat, onShortage: onDelay };
  const encode = (): Promise<VoiceNote> =>
    outlastShortage(() => voiceEncoder.encode(sound.listen(), signal, onDelay), patience).catch(
      (error: unknown) => {
        if (isFailure(error, 'audio')) onDelay();
        throw error;
      },
    );
  return encode().catch((error: unknown) => {
    if (isShortage(error) || !mayRepeat(error)) throw error;
    return encode();
  });
}

type Parts = Pick<Deps, 'results' | 'log'>;

/** The whole sound of the speech with this key; undefined where none is kept, or it cannot be read. */
async function recallSound({ results, log }: Parts, speech: string): Promise<Buffer | undefined> {
  const key = soundKey(speech);
  const recall = async (): Promise<Buffer | undefined> => {
    const copy = (await results.pieces.kept([key])).get(key);
    return copy === undefined ? undefined : results.pieces.recall(key, copy);
  };
  return ifReadable(recall(), log, 'kept sound cannot be read');
}

/** Keeps the sound once all of it is there, and nothing where it never is, or is too long. Never throws. */
async function keepSound(
  { results, log }: Parts,
  speech: string,
  person: string,
  sound: Promise<Buffer | undefined>,
): Promise<void> {
  const pcm = await sound.catch(() => undefined);
  if (pcm === undefined) return;
  await results.pieces.keep(soundKey(speech), person, pcm).catch((error: unknown) => {
    log.error({ error }, 'sound that was paid for was not kept');
  });
}

/** Deletes it: the voice note is there. It is not waited for, and what it leaves is pruned. */
function dropSound({ results, log }: Parts, speech: string): void {
  results.pieces
    .drop([soundKey(speech)])
    .catch((error: unknown) => log.warn({ error }, 'kept sound was not deleted'));
}
