/** Speaks a text of any length as one voice note, which is made once and kept. */
import { Failure } from '../errors.ts';
import { dominantLanguage } from '../language/script.ts';
import { splitForService } from '../language/split.ts';
import { spokenText } from '../language/spoken-text.ts';
import { type Speaker, speakersOf } from '../language/variety.ts';
import { joinNotes } from '../media/voice/joined-note.ts';
import type { VoiceNote } from '../media/voice/voice-note.ts';
import type { CallKind } from '../paid-calls.ts';
import { eachInTurn } from '../patience.ts';
import type { KeptVoiceNote } from '../store/kept/results.ts';
import type { Interpreter } from './interpreter.ts';
import { SAMPLE_BYTES, SAMPLE_RATE } from './provider.ts';
import { type RequestOptions, slowKey, soundKey, speechKey } from './request.ts';
import { dropPieces, keepPiece, type Piece, synthesise } from './synthesis.ts';

export interface SpokenText extends KeptVoiceNote {
  /** Notes its `file_id`, so that it need not be uploaded again. */
  uploaded(fileId: string): Promise<void>;
}

/** Speaks the whole text as one voice note. Throws the failure of any piece: half a text is not spoken. */
async function speak(
  interpreter: Interpreter,
  text: string,
  speaker: Speaker,
  options: RequestOptions,
): Promise<SpokenText> {
  const { account, results } = interpreter;
  const pieces = piecesOf(interpreter, text, speaker);
  const key = speechKey(text, speaker);
  const note = await account.payOnce<VoiceNote & Partial<KeptVoiceNote>>(
    {
      kind: 'speech',
      key,
      recall: () => results.voiceNote(key),
      buy: async (signal) => {
        const [piece, ...more] = pieces;
        if (piece === undefined) throw new Failure('audio', 'there is nothing to say');
        if (more.length > 0) return speakPieces(interpreter, pieces, speaker, { ...options, signal });
        options.onProgress?.(0, 1);
        const note = await synthesise(interpreter, piece, speaker, { asker: options.asker, signal });
        options.onProgress?.(1, 1);
        return note;
      },
      keep: async (made) => {
        await results.keepVoiceNote(key, options.asker.person, made);
        const keys = pieces.map((piece) => piece.key);
        if (keys.length > 1) dropPieces(interpreter, keys);
      },
    },
    options,
  );
  return { ...note, fileId: note.fileId, uploaded: (fileId) => results.keepFileId(key, fileId) };
}

/** A voice note that was uploaded to Telegram before. */
export interface UploadedNote {
  readonly speaker: Speaker;
  readonly fileId: string;
}

/** The voice notes of a text, by any speaker, that are kept and uploaded. */
export async function uploadedNotes({ results }: Interpreter, text: string): Promise<UploadedNote[]> {
  const language = dominantLanguage(text);
  const speakers = language === undefined ? [] : speakersOf(language);
  const spoken = spokenText(text);
  const found = await Promise.all(speakers.map((speaker) => results.fileId(speechKey(spoken, speaker))));
  return speakers.flatMap((speaker, index) => {
    const fileId = found[index];
    return fileId === undefined ? [] : [{ speaker, fileId }];
  });
}

function piecesOf({ provider }: Interpreter, text: string, speaker: Speaker): Piece[] {
  return splitForService(text.trim(), provider.longestText)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '')
    .map((piece) => ({ text: piece, key: speechKey(piece, speaker) }));
}

/** The pause between two speakers, in seconds. */
const PAUSE_S = 0.6;

/**
 * Makes one voice note in which the speakers speak the words of a text (`spokenText`) one after another. Each speech is made and kept by itself, so that nothing is
 * paid for again after a failure or for another request. Nothing is bought if the limits do not allow all that is missing.
 */
export async function speakInTurn(
  interpreter: Interpreter,
  given: string,
  speakers: readonly Speaker[],
  options: RequestOptions,
): Promise<SpokenText> {
  const text = spokenText(given);
  const [only, ...more] = speakers;
  if (only !== undefined && more.length === 0) return speak(interpreter, text, only, options);
  const { account, results, log, voiceEncoder } = interpreter;
  const key = speechKey(text, ...speakers);
  const uploaded = (fileId: string) => results.keepFileId(key, fileId);
  const kept = await results.voiceNote(key);
  if (kept !== undefined) {
    for (const _ of speakers) account.noteReuse(options.asker, 'speech');
    return { ...kept, uploaded };
  }

  await account.check(options.asker, await unpaidSpeech(interpreter, text, speakers));
  const progress = speakers.map(() => ({ done: 0, total: 0 }));
  const oggs: Buffer[] = [];
  const atOnce = await account.piecesAtOnce('speech', speakers.length);
  await eachInTurn([...speakers.entries()], atOnce, async ([index, speaker]) => {
    const onProgress = (done: number, total: number): void => {
      progress[index] = { done, total };
      const sumOf = (count: 'done' | 'total') => progress.reduce((sum, one) => sum + one[count], 0);
      options.onProgress?.(sumOf('done'), sumOf('total'));
    };
    oggs[index] = (await speak(interpreter, text, speaker, { ...options, onProgress })).ogg;
  });
  const pause = await voiceEncoder.encode(silence(PAUSE_S), options.signal);
  const joined = await joinNotes(oggs.flatMap((ogg, index) => (index === 0 ? [ogg] : [pause.ogg, ogg])));
  await results.keepVoiceNote(key, options.asker.person, joined).catch((error: unknown) => {
    log.error({ error }, 'storing a joined voice note failed');
  });
  return { ...joined, fileId: undefined, uploaded };
}

/** As `speakInTurn`, at three quarters of the speed. It is made of that note and kept beside it, and takes no further call. */
export async function speakSlowly(
  interpreter: Interpreter,
  text: string,
  speakers: readonly Speaker[],
  options: RequestOptions,
): Promise<SpokenText> {
  const { account, results, log, voiceEncoder } = interpreter;
  const key = slowKey(speechKey(spokenText(text), ...speakers));
  const uploaded = (fileId: string) => results.keepFileId(key, fileId);
  const kept = await results.voiceNote(key);
  if (kept !== undefined) {
    for (const _ of speakers) account.noteReuse(options.asker, 'speech');
    return { ...kept, uploaded };
  }
  const slow = await voiceEncoder.slow(
    await speakInTurn(interpreter, text, speakers, options),
    options.signal,
  );
  await results.keepVoiceNote(key, options.asker.person, slow).catch((error: unknown) => {
    log.error({ error }, 'storing a slow voice note failed');
  });
  return { ...slow, fileId: undefined, uploaded };
}

/** The calls that it takes to speak the text: none for a kept note, for kept pieces, and for kept sound. */
export async function unpaidSpeech(
  interpreter: Interpreter,
  text: string,
  speakers: readonly Speaker[],
): Promise<CallKind[]> {
  const spoken = spokenText(text);
  const missing = await Promise.all(speakers.map((speaker) => missingPieces(interpreter, spoken, speaker)));
  return callsFor(interpreter, missing.flat());
}

/** The keys of the pieces that must be paid for. */
async function missingPieces(interpreter: Interpreter, text: string, speaker: Speaker): Promise<string[]> {
  const { results } = interpreter;
  if ((await results.voiceNote(speechKey(text, speaker))) !== undefined) return [];
  const keys = piecesOf(interpreter, text, speaker).map((piece) => piece.key);
  const kept = await results.pieces.kept(keys);
  return keys.filter((key) => !kept.has(key));
}

async function* silence(seconds: number): AsyncGenerator<Buffer> {
  yield Buffer.alloc(Math.round(seconds * SAMPLE_RATE) * SAMPLE_BYTES);
}

/** The next piece is requested while one is still coming. */
const CALLS_AT_ONCE = 2;

/**
 * Makes one voice note of all pieces in order. Kept pieces are used again, the others are bought, each once however often it occurs.
 * Nothing is bought if the limits do not allow all that is missing. Throws the failure of any piece, but only after the piece bought beside
 * it has come and is kept, since that is paid for.
 */
async function speakPieces(
  interpreter: Interpreter,
  pieces: readonly Piece[],
  speaker: Speaker,
  { asker, signal, onProgress }: RequestOptions,
): Promise<VoiceNote> {
  const { account, results } = interpreter;
  const texts = new Map(pieces.map(({ key, text }) => [key, text]));
  const kept = await results.pieces.kept([...texts.keys()]);
  const calls = await callsFor(
    interpreter,
    texts.keys().filter((key) => !kept.has(key)),
  );
  await account.check(asker, calls);
  const notes = new Map<string, Buffer>();
  for (const [key, copy] of kept) {
    const ogg = await results.pieces.recall(key, copy);
    if (ogg === undefined) continue;
    notes.set(key, ogg);
    account.noteReuse(asker, 'speech');
  }
  const tell = (): void => onProgress?.(notes.size, texts.size);

  const buy = async ([key, text]: readonly [string, string]): Promise<void> => {
    const { ogg } = await synthesise(interpreter, { text, key }, speaker, { asker, signal });
    notes.set(key, ogg);
    tell();
    // The last piece is not kept by itself, since the whole speech is kept next.
    if (notes.size === texts.size) return;
    await keepPiece(interpreter, key, asker.person, ogg);
  };

  const toBuy = [...texts].filter(([key]) => !notes.has(key));
  if (toBuy.length > 0) tell();
  // After a failure nothing more is begun or paid for, since half a speech is of no use.
  await eachInTurn(toBuy, await account.piecesAtOnce('speech', CALLS_AT_ONCE), buy);
  return joinNotes(pieces.flatMap(({ key }) => notes.get(key) ?? []));
}

/** The calls for these pieces, each once, except those whose sound is kept. */
async function callsFor(interpreter: Interpreter, missing: Iterable<string>): Promise<CallKind[]> {
  const sounds = [...new Set(missing)].map(soundKey);
  if (sounds.length === 0) return [];
  const kept = await interpreter.results.pieces.kept(sounds);
  return Array<CallKind>(sounds.length - kept.size).fill('speech');
}
