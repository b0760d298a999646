/**
 * Encodes PCM as OGG/Opus with an ffmpeg process. Only this file and encoder-processes.ts know fluent-ffmpeg, which is archived, and
 * its traps.
 */
import { once } from 'node:events';
import { type Readable, Writable } from 'node:stream';
import ffmpeg from 'fluent-ffmpeg';
import { Failure } from '../../errors.ts';
import { holdProcesses, NICENESS } from './encoder-processes.ts';
import { isWholeOgg } from './ogg-opus.ts';
import { CHANNELS, SAMPLE_RATE } from './speech-intake.ts';

const INPUT_OPTIONS = ['-loglevel', 'error', '-f', 's16le', '-ar', `${SAMPLE_RATE}`, '-ac', `${CHANNELS}`];

/**
 * How this was chosen: 271 s of eSpeak's speech at 16 kHz (two voices in Mandarin, three in Tibetan), ffmpeg 5.1's libopus, packets of
 * 60 ms, constrained VBR. NSIM is ViSQOL's likeness of spectrograms (1: the same) and LSD the distance of log spectra, both over 32
 * mel bands; segSNR is the match of waveforms, which CELT keeps and no ear needs. "worst" is the worst of the five voices; CPU
 * is all of ffmpeg's.
 *
 *     application  kbit/s  complexity   NSIM  worst   LSD dB  worst   segSNR dB   ms CPU / 10 s   kB / 10 s
 *     voip           24        10       .955   .949     1.99   2.12      10.1          131           28.5
 *     voip           24         5       .950   .941     2.35   2.68      10.0           74           27.7
 *     voip           24         3       .922   .907     3.42   4.09       9.7           59           26.1
 *     audio          24         5       .927   .899     3.34   4.74      13.0           34           31.0
 *     audio          28         5       .942   .917     2.96   4.26      14.4           35           36.0
 *     audio          32         5       .954   .932     2.61   3.80      15.7           35           41.1
 *     audio          24         7       .955   .948     2.12   2.36      17.6          106           27.9
 *     audio          24        10       .957   .951     1.97   2.11      18.0          133           28.4
 *
 * At complexity 5 `audio` is CELT, which loses the three male voices at every rate; from 7 on it looks for speech and takes
 * SILK for it. `voip` at 5 is the cheapest that is nowhere worse than `voip` at 24 kbit/s was before. These are measurements; no person has listened.
 */
const OUTPUT_OPTIONS = [
  // A model of a voice (SILK).
  ...['-application', 'voip'],
  // At most 29 kB for 10 s of what was measured, under the 32 that we allow ourselves. Constrained, it is bounded whatever is said.
  ...['-b:a', '24k', '-vbr', 'constrained'],
  // Long packets save 5 % of the file; delay matters to calls, not to a recording.
  ...['-frame_duration', '60'],
  // Of 0 to 10.
  ...['-compression_level', '5'],
];

/**
 * Sets the ffmpeg to run, for all encoders: a path, or a name to look up in PATH. Without this, fluent-ffmpeg looks at FFMPEG_PATH, then
 * at PATH, before its first command.
 */
export function useFfmpeg(path: string): void {
  ffmpeg.setFfmpegPath(path);
}

/**
 * Asks ffmpeg for its formats and encoders, which fluent-ffmpeg would otherwise do during the first speech (twice 50 ms). Throws `audio`, in
 * words for the operator, if there is no ffmpeg, it does not answer, or it has no Opus encoder.
 */
export async function probeFfmpeg(): Promise<void> {
  const command = ffmpeg();
  const unstarted = Promise.withResolvers<never>();
  const onUnstarted = (cause: unknown) => unstarted.reject(doesNotRun(cause));
  const processes = holdProcesses(command, { onUnstarted, onCutOff: () => {} });
  try {
    const capabilities = Promise.all([
      answer<ffmpeg.Formats>((callback) => command.getAvailableFormats(callback)),
      answer<ffmpeg.Encoders>((callback) => command.getAvailableEncoders(callback)),
    ]);
    const [formats, encoders] = await Promise.race([capabilities, unstarted.promise]);
    if (!formats.ogg?.canMux || !formats.s16le?.canDemux || !encoders.libopus) {
      throw new Failure('audio', 'this ffmpeg cannot make voice notes: it was built without libopus');
    }
  } finally {
    processes.end();
  }
}

function answer<T>(ask: (callback: (error: Error | null, value: T) => void) => void): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  ask((cause, value) => {
    if (cause) reject(doesNotRun(cause));
    else resolve(value);
  });
  return promise;
}

function doesNotRun(cause: unknown): Failure {
  return new Failure('audio', 'ffmpeg does not run: install ffmpeg with libopus', { cause });
}

/**
 * Encodes s16le, 16 kHz, mono PCM as an OGG file. `pcm` must not emit errors: to give up, abort `stop`, which kills ffmpeg at once.
 * `complete` resolves with the number of samples once all of them are there. Settles only when the process and everything that it
 * started are gone. Throws the reason of `stop`, or `audio` if ffmpeg could not start, failed, hung, was killed by something else, or did
 * not write the whole file.
 */
export async function encodeOpus(
  pcm: Readable,
  complete: Promise<number>,
  stop: AbortSignal,
): Promise<Buffer> {
  stop.throwIfAborted();
  let samples: number | undefined;
  complete.then(
    (all) => {
      samples = all;
    },
    () => {},
  );
  const kill = () => processes.kill();
  const watchdog = createWatchdog(() => samples !== undefined || pcm.readableLength > 0, kill);
  const ogg = createCollector(watchdog.alive, kill);
  const command = ffmpeg({ niceness: NICENESS })
    .input(pcm)
    .inputOptions(INPUT_OPTIONS)
    .audioCodec('libopus')
    .outputOptions(OUTPUT_OPTIONS)
    .format('ogg')
    .output(ogg.stream);

  const gone = Promise.withResolvers<void>();
  command.once('end', () => gone.resolve());
  command.once('error', gone.reject);
  const processes = holdProcesses(command, { onUnstarted: gone.reject, onCutOff: () => ogg.stream.end() });
  stop.addEventListener('abort', kill, { once: true });
  try {
    command.run();
    // 'end' comes with the exit code, perhaps before the last bytes are read from the pipe.
    await Promise.all([gone.promise, once(ogg.stream, 'finish')]);
    stop.throwIfAborted();
    if (samples === undefined) throw new Error('it ended before its input');
    const bytes = ogg.bytes();
    if (!isWholeOgg(bytes, samples)) throw new Error('the file is not whole');
    return bytes;
  } catch (cause) {
    stop.throwIfAborted();
    throw new Failure('audio', 'ffmpeg made no voice note', { cause });
  } finally {
    stop.removeEventListener('abort', kill);
    watchdog.end();
    processes.end();
  }
}

/** How long an encoder with sound may write nothing, in seconds. It writes about a page for each second of sound. */
const SILENT_SECONDS = 20;

/** In bytes. Hours of speech take less; an encoder that writes more is broken, and would fill the memory. */
const MOST_OGG_BYTES = 64 * 1024 * 1024;

/**
 * Calls `onHung` once the encoder has written nothing for `SILENT_SECONDS` although it had sound. Time without sound (`hasSound`) does not
 * count: the source may be slow.
 */
function createWatchdog(hasSound: () => boolean, onHung: () => void) {
  let silent = 0;
  const timer = setInterval(() => {
    silent = hasSound() ? silent + 1 : 0;
    if (silent > SILENT_SECONDS) onHung();
  }, 1000);
  return {
    alive: (): void => {
      silent = 0;
    },
    end: (): void => clearInterval(timer),
  };
}

/** Collects the output. It never emits 'close': fluent-ffmpeg would take that for a broken pipe and fail a slow but good exit. */
function createCollector(onChunk: () => void, onTooMuch: () => void) {
  let chunks: Buffer[] = [];
  let length = 0;
  const stream = new Writable({
    emitClose: false,
    write(chunk: Buffer, _encoding, done) {
      length += chunk.length;
      if (length <= MOST_OGG_BYTES) chunks.push(chunk);
      else {
        chunks = [];
        onTooMuch();
      }
      onChunk();
      done();
    },
  });
  return { stream, bytes: () => Buffer.concat(chunks) };
}
