/** Speaks a text of any length as one voice note, which is made once and kept. */
import { Readable } from 'node:stream';
import { isFailure } from '../errors.ts';
import { mustBeKnown } from '../language/private-tibetan.ts';
import { dominantLanguage } from '../language/script.ts';
import { splitForService } from '../language/split.ts';
import { spokenText } from '../language/spoken-text.ts';
import { type Speaker, speakersOf } from '../language/variety.ts';
import { PAUSE_S, type VoiceNote } from '../media/voice/voice-note.ts';
import type { CallKind } from '../paid-calls.ts';
import { createYield, patiently } from '../patience.ts';
import { isBrokenOff } from '../service/calls/failure.ts';
import type { Interpreter } from './interpreter.ts';
import { joinedKey, type Payer, type RequestOptions, slowKey, soundKey, speechKey } from './request.ts';

export interface SpokenText {
  readonly durationSeconds: number;
  /** Telegram's `file_id`, if it was uploaded before. */
  readonly fileId: string | undefined;
  /** Joins the pieces, only for an upload. Throws as `VoiceEncoder.join` does. */
  ogg(): Promise<Buffer>;
  /**
   * When a speaker (by index) has spoken this share of the text (0 to 1), in seconds of the note: within a piece as if every letter took as
   * long, between pieces exact but for the padding of their ends (60 ms).
   */
  timeOf(speaker: number, share: number): number;
  /** Keeps its `file_id`, so that it need not be uploaded again. */
  uploaded(fileId: string): Promise<void>;
}

interface UploadedNote {
  readonly speaker: Speaker;
  readonly fileId: string;
}

/** Finds those that are kept, by any speaker. */
export async function uploadedNotes({ results }: Interpreter, text: string): Promise<UploadedNote[]> {
  const language = dominantLanguage(text);
  const speakers = language === undefined ? [] : speakersOf(language);
  const spoken = await spokenText(text);
  const found = await Promise.all(speakers.map((speaker) => results.fileId(speechKey(spoken, speaker))));
  return speakers.flatMap((speaker, index) => {
    const fileId = found[index];
    return fileId === undefined ? [] : [{ speaker, fileId }];
  });
}

interface Piece {
  readonly text: string;
  readonly speaker: Speaker;
  readonly key: string;
}

/** Speech that breaks off is tried once more only: each try is paid for. */
const TRIES = 2;

/** The next piece is requested while one is still coming; several speakers speak side by side. */
const MIN_CALLS_AT_ONCE = 2;

/**
 * Makes one voice note in which the speakers speak the words of a text (`spokenText`) one after another, `isSlow` at three quarters of the
 * speed. Each piece of each speaker is bought and kept by itself, so that nothing is paid for again. Nothing is bought if the limits do not
 * allow all that is missing. Throws the failure of any piece, once those bought beside it are kept: half a text is not spoken.
 */
export async function speakInTurn(
  interpreter: Interpreter,
  given: string,
  speakers: readonly Speaker[],
  options: RequestOptions,
  isSlow = false,
): Promise<SpokenText> {
  const { results } = interpreter;
  const { inTurn, pieces } = await piecesOf(interpreter, given, speakers);
  const normal = await notesOf(interpreter, pieces, speakers.length, options);
  const notes = isSlow ? await slowNotes(interpreter, normal, options) : normal;
  const normalKey = joinedKey(inTurn.flat().map(({ key }) => key));
  const key = isSlow ? slowKey(normalKey) : normalKey;
  const timeOf = (speaker: number, share: number) => timeIn(inTurn, notes, speaker, share);
  return {
    durationSeconds: timeOf(speakers.length - 1, 1),
    fileId: await results.fileId(key),
    ogg: () => join(interpreter, inTurn, notes, options.signal),
    timeOf,
    uploaded: (fileId) => results.keepFileId(key, options.asker.person, fileId),
  };
}

function timeIn(
  inTurn: readonly (readonly Piece[])[],
  notes: ReadonlyMap<string, VoiceNote>,
  speaker: number,
  share: number,
): number {
  const secondsOf = ({ key }: Piece): number => notes.get(key)?.durationSeconds ?? 0;
  const before = inTurn.slice(0, speaker);
  let seconds = before.flat().reduce((sum, piece) => sum + secondsOf(piece), before.length * PAUSE_S);
  const own = inTurn[speaker] ?? [];
  let letters = share * own.reduce((sum, { text }) => sum + text.length, 0);
  for (const piece of own) {
    const part = Math.min(1, letters / piece.text.length);
    seconds += part * secondsOf(piece);
    letters -= part * piece.text.length;
  }
  return seconds;
}

/** Puts a pause between two speakers. */
async function join(
  { voiceEncoder }: Interpreter,
  inTurn: readonly (readonly Piece[])[],
  notes: ReadonlyMap<string, VoiceNote>,
  signal: AbortSignal,
): Promise<Buffer> {
  const pause = inTurn.length > 1 ? [await voiceEncoder.pause(signal)] : [];
  const all = inTurn.flatMap((own, index) => [
    ...(index === 0 ? [] : pause),
    ...own.flatMap(({ key }) => notes.get(key) ?? []),
  ]);
  const [only] = all;
  return only !== undefined && all.length === 1 ? only.ogg : voiceEncoder.join(all, signal);
}

/** Returns the notes by the keys of the pieces, kept or bought. After a failure nothing more is begun or paid for. */
async function notesOf(
  interpreter: Interpreter,
  pieces: readonly Piece[],
  speakers: number,
  options: RequestOptions,
): Promise<Map<string, VoiceNote>> {
  const { account } = interpreter;
  const { asker, onProgress } = options;
  const notes = new Map<string, VoiceNote>();
  const missing = new Set(await missingOf(interpreter, pieces));
  if (missing.size > 1) await account.check(asker, Array.from(missing, asCall));
  let done = pieces.length - missing.size;
  if (missing.size > 0) onProgress?.(done, pieces.length);
  const keepOrBuy = async (piece: Piece): Promise<void> => {
    const { key } = piece;
    const buy = (signal: AbortSignal, payer: () => Payer) => synthesise(interpreter, piece, payer, signal);
    notes.set(key, await account.payOnce({ kind: 'speech', key, buy }, options));
    if (!missing.has(piece)) return;
    done += 1;
    onProgress?.(done, pieces.length);
  };
  await account.buyEach('speech', pieces, Math.max(MIN_CALLS_AT_ONCE, speakers), keepOrBuy);
  return notes;
}

/** Keeps each beside its own note. */
async function slowNotes(
  { results, voiceEncoder, log }: Interpreter,
  notes: ReadonlyMap<string, VoiceNote>,
  { asker, signal }: RequestOptions,
): Promise<Map<string, VoiceNote>> {
  const slowed = new Map<string, VoiceNote>();
  for (const [key, note] of notes) {
    const kept = await results.find(slowKey(key));
    const slow = typeof kept === 'object' ? kept : await voiceEncoder.slow(note, signal);
    slowed.set(key, slow);
    if (kept !== undefined) continue;
    await results.keep(slowKey(key), asker.person, slow).catch((error: unknown) => {
      log.error({ error }, 'storing a slow voice note failed');
    });
  }
  return slowed;
}

/** The calls that it takes to speak the text: none for what is kept as a note or as sound, each of the others once. */
export async function unpaidSpeech(
  interpreter: Interpreter,
  given: string,
  speakers: readonly Speaker[],
): Promise<CallKind[]> {
  const { pieces } = await piecesOf(interpreter, given, speakers);
  const missing = await missingOf(interpreter, pieces);
  return missing.map(asCall);
}

const asCall = (): CallKind => 'speech';

async function missingOf({ results }: Interpreter, pieces: readonly Piece[]): Promise<Piece[]> {
  const kept = await results.kept(pieces.flatMap(({ key }) => [key, soundKey(key)]));
  return pieces.filter(({ key }) => !kept.has(key) && !kept.has(soundKey(key)));
}

/** The spoken words of a text, their pieces for each speaker, and those to buy: each once, however often it occurs. */
async function piecesOf({ provider }: Interpreter, given: string, speakers: readonly Speaker[]) {
  mustBeKnown(given);
  const yieldToOthers = createYield();
  const text = await spokenText(given);
  const parts = await splitForService(text.trim(), provider.maxTextLength);
  const inTurn: Piece[][] = speakers.map(() => []);
  for (const part of parts) {
    const spoken = part.trim();
    if (spoken === '') continue;
    for (const [index, speaker] of speakers.entries())
      inTurn[index]?.push({ text: spoken, speaker, key: speechKey(spoken, speaker) });
    await yieldToOthers();
  }
  const pieces = [...new Map(inTurn.flat().map((piece) => [piece.key, piece])).values()];
  return { inTurn, pieces };
}

/**
 * If the speech breaks off, it is bought once more. If encoding fails or is delayed, the sound is kept, and encoded without another call: at
 * once, and by the next request for the same speech. Buys nothing while the encoder is broken.
 */
async function synthesise(
  interpreter: Interpreter,
  piece: Piece,
  payer: () => Payer,
  signal: AbortSignal,
): Promise<VoiceNote> {
  const kept = await encodeKept(interpreter, piece, signal);
  if (kept !== undefined) return kept;
  await interpreter.voiceEncoder.prove(signal);
  try {
    return await patiently(
      () => encodeSpoken(interpreter, piece, payer, signal),
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

async function encodeKept(
  interpreter: Interpreter,
  piece: Piece,
  signal: AbortSignal,
): Promise<VoiceNote | undefined> {
  const key = soundKey(piece.key);
  const sound = await interpreter.results.sound(key);
  if (sound === undefined) return undefined;
  const note = await interpreter.voiceEncoder.encode(Readable.from([sound]), signal);
  dropSound(interpreter, key);
  return note;
}

/** A call that was sent ends in a note, whatever `signal` says. */
async function encodeSpoken(
  interpreter: Interpreter,
  { text, speaker, key }: Piece,
  payer: () => Payer,
  signal: AbortSignal,
): Promise<VoiceNote> {
  const { account, provider, results, voiceEncoder, log } = interpreter;
  async function* pcm(): AsyncGenerator<Buffer> {
    yield* await provider.speak({ text, ...speaker }, { signal, meter: account.meter(payer) });
  }
  let keeping: Promise<void> | undefined;
  /** Keeps the sound once it is complete; keeps nothing if it never is, or is too long. */
  const keepSound = async (whole: Promise<Buffer | undefined>): Promise<void> => {
    const sound = await whole.catch(() => undefined);
    if (sound === undefined) return;
    await results
      .keepSound(soundKey(key), payer().person, sound, key)
      .catch((error: unknown) => log.error({ error }, 'storing sound that waits for an encoder failed'));
  };
  // Without this, a kill during the delay would make somebody pay again.
  const onDelay = (whole: () => Promise<Buffer | undefined>): void => {
    keeping ??= keepSound(whole());
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

/** Does not wait; pruning removes what is left over. */
function dropSound({ results, log }: Interpreter, key: string): void {
  results.drop(key).catch((error: unknown) => log.warn({ error }, 'deleting encoded sound failed'));
}
