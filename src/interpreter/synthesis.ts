/** Makes the voice note of one piece of text, encoded while the speech comes. */
import { isFailure } from '../errors.ts';
import type { Speaker } from '../language/variety.ts';
import type { VoiceEncoder, VoiceNote } from '../media/voice/voice-note.ts';
import { patiently, throwIfCancelled } from '../patience.ts';
import { isBrokenOff } from '../service/calls/failure.ts';
import type { Interpreter } from './interpreter.ts';
import { type RequestOptions, soundKey } from './request.ts';

/** Speech that breaks off is tried once more only: each try is paid for (spec §3). */
const TRIES = 2;
/** How many encoders get the sound before its note is given up. */
const ENCODERS = 2;
/** Four minutes of sound, kept until its voice note is made. */
const MAX_KEPT_BYTES = 8 * 1024 * 1024;
/** A text spoken in one call. */
export interface Piece {
  readonly text: string;
  readonly speaker: Speaker;
  /** The key of a result of this piece alone. */
  readonly key: string;
}

/**
 * Makes the voice note of a piece. If its speech breaks off, a new encoder starts from the beginning. If encoding fails or is delayed,
 * the sound is kept; the next request for the same speech encodes it without a call. While no encoder works, nothing is paid for.
 */
export async function synthesise(
  interpreter: Interpreter,
  piece: Piece,
  { asker, signal }: Pick<RequestOptions, 'asker' | 'signal'>,
): Promise<VoiceNote> {
  const { account, results, voiceEncoder } = interpreter;
  throwIfCancelled(signal);
  const key = soundKey(piece.key);
  const kept = await results.sound(key);
  if (kept !== undefined) {
    const note = await encodeRepeatably(voiceEncoder, new Replay(just(kept), kept.length), signal);
    account.noteReuse(asker, 'speech');
    dropSound(interpreter, key);
    return note;
  }
  await voiceEncoder.prove(signal);
  return patiently(
    () => encodeSpoken(interpreter, piece, { asker, signal }),
    (error, attempt) => (isBrokenOff(error) && attempt < TRIES ? 0 : undefined),
  );
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
  const sound = new Replay(pcm(), MAX_KEPT_BYTES);
  let keeping: Promise<void> | undefined;
  // Without this, a kill during the delay would make somebody pay again.
  const onDelay = (): void => {
    keeping ??= keepSound(interpreter, soundKey(key), asker.person, sound.whole());
  };
  try {
    const note = await encodeRepeatably(voiceEncoder, sound, interpreter.closed, onDelay);
    void keeping?.then(() => dropSound(interpreter, soundKey(key)));
    return note;
  } catch (error) {
    await keeping;
    throw error;
  } finally {
    // Not awaited: after a failure of the encoder it waits for the next samples.
    sound.close().catch(() => {});
  }
}

async function* just(sound: Buffer): AsyncGenerator<Buffer> {
  yield sound;
}

/**
 * Encodes sound; throws like `VoiceEncoder.encode`. After a failure of the encoder, another one gets the sound from its beginning. `onDelay`
 * is called after each failure, and while others are encoded first: the note may take long.
 */
async function encodeRepeatably(
  voiceEncoder: VoiceEncoder,
  sound: Replay,
  signal: AbortSignal,
  onDelay: () => void = () => {},
): Promise<VoiceNote> {
  const encode = (): Promise<VoiceNote> => voiceEncoder.encode(sound.listen(), signal, onDelay);
  return patiently(encode, (error, attempt) => {
    // Any other kind of failure comes from the speech itself, of which no more can be had.
    if (!isFailure(error, 'audio')) return undefined;
    onDelay();
    return attempt < ENCODERS && sound.canRepeat ? 0 : undefined;
  });
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

/** Replays sound from its beginning, so that a failed encoder costs no second call. */
export class Replay {
  readonly #source: AsyncGenerator<Buffer>;
  readonly #maxBytes: number;
  readonly #chunks: Buffer[] = [];
  /** Chunks received so far; those before `forgotten` are no longer kept. */
  #come = 0;
  #forgotten = 0;
  #bytes = 0;
  #isOver = false;
  #pulling: Promise<void> | undefined;
  /** The source's error; a generator that failed would afterwards report its end. */
  #broken: { readonly error: unknown } | undefined;

  /** Keeps up to `maxBytes`; longer sound can be read only once. */
  constructor(source: AsyncGenerator<Buffer>, maxBytes: number) {
    this.#source = source;
    this.#maxBytes = maxBytes;
  }

  /** False once there is too much sound to keep. */
  get canRepeat(): boolean {
    return this.#bytes <= this.#maxBytes;
  }

  /** Yields the sound from its beginning: first what was received, then what is coming. */
  async *listen(): AsyncGenerator<Buffer> {
    for (let index = 0; ; index += 1) {
      while (index >= this.#come && !this.#isOver) await this.#pull();
      const chunk = this.#chunks[index - this.#forgotten];
      if (chunk === undefined) return;
      yield chunk;
      // Forget only here: a reader that left while waiting never gets past its `yield`, and takes nothing from the next one.
      if (!this.canRepeat) {
        this.#chunks.splice(0, index + 1 - this.#forgotten);
        this.#forgotten = index + 1;
      }
    }
  }

  /** Resolves with all of the sound at its end; undefined if it is too long to keep. Throws the source's error. */
  async whole(): Promise<Buffer | undefined> {
    while (!this.#isOver && this.canRepeat) await this.#pull();
    return this.canRepeat ? Buffer.concat(this.#chunks) : undefined;
  }

  /** Closes the source. */
  async close(): Promise<void> {
    await this.#source.return(undefined);
  }

  /** Reads one chunk at a time, so that a reader that left takes nothing from the next one. */
  async #pull(): Promise<void> {
    if (this.#broken !== undefined) throw this.#broken.error;
    this.#pulling ??= this.#readOn().finally(() => {
      this.#pulling = undefined;
    });
    await this.#pulling;
  }

  async #readOn(): Promise<void> {
    try {
      const { done, value } = await this.#source.next();
      this.#isOver = done === true;
      if (done) return;
      this.#chunks.push(value);
      this.#come += 1;
      this.#bytes += value.length;
    } catch (error) {
      this.#broken = { error };
      throw error;
    }
  }
}
