/** Makes the voice note of one piece of text, encoded while the speech comes. */
import { isFailure } from '../errors.ts';
import type { Speaker } from '../language/variety.ts';
import type { VoiceNote } from '../media/voice/voice-note.ts';
import { patiently, throwIfCancelled } from '../patience.ts';
import { isBrokenOff } from '../service/calls/failure.ts';
import type { Interpreter } from './interpreter.ts';
import { type RequestOptions, soundKey } from './request.ts';

/** Speech that breaks off is tried once more only: each try is paid for (spec §3). */
const TRIES = 2;

/** A text spoken in one call. */
export interface Piece {
  readonly text: string;
  readonly speaker: Speaker;
  /** The key of a result of this piece alone. */
  readonly key: string;
}

/**
 * Makes the voice note of a piece. If its speech breaks off, it is bought once more. If encoding fails or is delayed, the sound is kept, and
 * encoded without another call: at once, and by the next request for the same speech. While no encoder works, nothing is paid for.
 */
export async function synthesise(
  interpreter: Interpreter,
  piece: Piece,
  { asker, signal }: Pick<RequestOptions, 'asker' | 'signal'>,
): Promise<VoiceNote> {
  throwIfCancelled(signal);
  const kept = await encodeKept(interpreter, piece, signal);
  if (kept !== undefined) return kept;
  await interpreter.voiceEncoder.prove(signal);
  try {
    return await patiently(
      () => encodeSpoken(interpreter, piece, { asker, signal }),
      (error, attempt) => (isBrokenOff(error) && attempt < TRIES ? 0 : undefined),
    );
  } catch (error) {
    const note = isFailure(error, 'audio')
      ? await encodeKept(interpreter, piece, interpreter.closed)
      : undefined;
    if (note === undefined) throw error;
    return note;
  }
}

/** Encodes the sound of a piece, if it is kept. */
async function encodeKept(
  interpreter: Interpreter,
  piece: Piece,
  signal: AbortSignal,
): Promise<VoiceNote | undefined> {
  const key = soundKey(piece.key);
  const sound = await interpreter.results.sound(key);
  if (sound === undefined) return undefined;
  const note = await interpreter.voiceEncoder.encode(just(sound), signal);
  dropSound(interpreter, key);
  return note;
}

/** Encodes sound while paying for it. A call that was sent ends in a note, whatever `signal` says. */
async function encodeSpoken(
  interpreter: Interpreter,
  { text, speaker, key }: Piece,
  { asker, signal }: Pick<RequestOptions, 'asker' | 'signal'>,
): Promise<VoiceNote> {
  const { account, provider, voiceEncoder } = interpreter;
  async function* pcm(): AsyncGenerator<Buffer> {
    yield* await provider.speak({ text, ...speaker }, { signal, meter: account.meter(asker) });
  }
  let keeping: Promise<void> | undefined;
  // Without this, a kill during the delay would make somebody pay again.
  const onDelay = (whole: () => Promise<Buffer | undefined>): void => {
    keeping ??= keepSound(interpreter, soundKey(key), asker.person, whole());
  };
  try {
    const note = await voiceEncoder.encode(pcm(), interpreter.closed, onDelay);
    void keeping?.then(() => dropSound(interpreter, soundKey(key)));
    return note;
  } catch (error) {
    await keeping;
    throw error;
  }
}

async function* just(sound: Buffer): AsyncGenerator<Buffer> {
  yield sound;
}

/** Keeps the sound once it is complete; keeps nothing if it never is, or is too long. Logs an error. */
async function keepSound(
  { results, log }: Interpreter,
  key: string,
  person: string,
  sound: Promise<Buffer | undefined>,
): Promise<void> {
  const pcm = await sound.catch(() => undefined);
  if (pcm === undefined) return;
  await results
    .keepSound(key, person, pcm)
    .catch((error: unknown) => log.error({ error }, 'storing sound that waits for an encoder failed'));
}

/** Deletes sound that is encoded, without waiting; pruning removes what is left over. */
function dropSound({ results, log }: Interpreter, key: string): void {
  results.drop(key).catch((error: unknown) => log.warn({ error }, 'deleting encoded sound failed'));
}
