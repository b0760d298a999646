/** Encodes PCM, or a voice note at another speed, as OGG/Opus with an ffmpeg process. */
import { Readable } from 'node:stream';
import ffmpeg from 'fluent-ffmpeg';
import { Failure } from '../../errors.ts';
import { type ChildProcess, ffmpegPath, NICELY, startProcess } from '../child-process.ts';
import { isWholeOgg } from './ogg-opus.ts';
import { CHANNELS, SAMPLE_RATE } from './speech-intake.ts';

/** The speed of slow speech, relative to speech. */
const SLOW_TEMPO = 0.75;

/** What ffmpeg reads, by ffmpeg's options. Slow speech keeps its pitch; at the rate of the speech it takes a third less time than at Opus's. */
const INPUTS = {
  pcm: { input: ['-f', 's16le', '-ar', `${SAMPLE_RATE}`, '-ac', `${CHANNELS}`], output: [] },
  noteToSlow: {
    input: ['-f', 'ogg'],
    output: ['-filter:a', `aresample=${SAMPLE_RATE},atempo=${SLOW_TEMPO}`],
  },
} as const;

type Input = keyof typeof INPUTS;

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
 * SILK for it. `voip` at complexity 5 is the cheapest whose worst voice has an NSIM above .94. These are measurements; nobody has listened.
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
 * Uses fluent-ffmpeg only to write the command: the library is archived, and its own start of a process throws in a callback that nobody
 * can catch if it fails (no memory or process left), and opens no process group.
 */
function encoderOptions(from: Input): string[] {
  const { input, output } = INPUTS[from];
  return ffmpeg()
    .input('pipe:0')
    .inputOptions(['-loglevel', 'error', ...input])
    .audioCodec('libopus')
    .outputOptions([...output, ...OUTPUT_OPTIONS])
    .format('ogg')
    .output('pipe:1')
    ._getArguments();
}

/** What ffmpeg must list, by the option that lists it. */
const NEEDED = {
  '-formats': [/^ D.{2,3} *s16le /m, /^ .E.? +ogg /m],
  '-encoders': [/^ A\S* +libopus /m],
} as const;
/** ffmpeg lists some 40 kB in 50 ms. */
const LISTS_WITHIN_MS = 20_000;

/** Throws `audio`, with a message for the operator, if ffmpeg is missing, does not answer, or has no Opus encoder. */
export async function probeFfmpeg(): Promise<void> {
  const probes = Object.entries(NEEDED).map(async ([option, lines]) => {
    const listing = await startProcess([ffmpegPath(), option], process.env);
    const timeLimit = setTimeout(listing.kill, LISTS_WITHIN_MS);
    listing.stdin.end();
    const list = collect(listing);
    const { code, cause } = await listing.ended;
    clearTimeout(timeLimit);
    if (code !== 0) throw cause;
    return lines.every((line) => line.test(list().toString()));
  });
  const has = await Promise.all(probes).catch((cause: unknown) => {
    throw new Failure('audio', 'ffmpeg does not run: install ffmpeg with libopus', { cause });
  });
  if (has.includes(false)) {
    throw new Failure('audio', 'this ffmpeg cannot make voice notes: it was built without libopus');
  }
}

/**
 * Encodes s16le, 16 kHz, mono PCM as an OGG file. `pcm` must not emit errors: to give up, abort `stop`, which kills ffmpeg at once.
 * `complete` resolves with the number of samples once all of them have arrived. Settles only when the process and its whole group have
 * ended. Throws the reason of `stop`, or `audio` if ffmpeg could not start, failed, hung, was killed, or did not write the whole file.
 */
export async function encodeOpus(
  pcm: Readable,
  complete: Promise<number>,
  stop: AbortSignal,
  from: Input = 'pcm',
): Promise<Buffer> {
  stop.throwIfAborted();
  let samples: number | undefined;
  complete.then(
    (all) => {
      samples = all;
    },
    () => {},
  );
  try {
    const encoder = await startProcess([...NICELY, ffmpegPath(), ...encoderOptions(from)], process.env);
    if (stop.aborted) encoder.kill();
    stop.addEventListener('abort', encoder.kill, { once: true });
    pcm.pipe(encoder.stdin);
    const output = collect(encoder);
    killWhenHung(encoder, () => samples !== undefined || pcm.readableLength > 0);
    const { code, cause } = await encoder.ended;
    stop.removeEventListener('abort', encoder.kill);
    stop.throwIfAborted();
    if (code !== 0) throw cause;
    if (samples === undefined) throw new Error('ffmpeg ended before its input');
    const ogg = output();
    if (!isWholeOgg(ogg, samples)) throw new Error('the file is incomplete');
    return ogg;
  } catch (cause) {
    stop.throwIfAborted();
    throw new Failure('audio', 'ffmpeg made no voice note', { cause });
  }
}

/** Time stretching may cut the end short by this, in seconds; 10 ms were measured. */
const SLOW_TOLERANCE_S = 0.1;

/** A voice note of this length, in seconds, at three quarters of its speed. Settles and throws like `encodeOpus`. */
export async function slowed(ogg: Buffer, seconds: number, stop: AbortSignal): Promise<Buffer> {
  const least = Math.max(0, seconds / SLOW_TEMPO - SLOW_TOLERANCE_S);
  const samples = Promise.resolve(Math.floor(least * SAMPLE_RATE));
  return encodeOpus(Readable.from([ogg]), samples, stop, 'noteToSlow');
}

/** The maximum of output, in bytes. Hours of speech take less; an ffmpeg that writes more is broken, and would fill the memory. */
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** Collects the output of a process, and kills it above the maximum. */
function collect({ stdout, kill }: ChildProcess): () => Buffer {
  let chunks: Buffer[] = [];
  let length = 0;
  stdout.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length <= MAX_OUTPUT_BYTES) chunks.push(chunk);
    else {
      chunks = [];
      kill();
    }
  });
  return () => Buffer.concat(chunks);
}

/** How long an encoder with input may write nothing, in seconds. It writes about a page for each second of sound. */
const SILENT_SECONDS = 20;

/**
 * Kills an encoder that has written nothing for `SILENT_SECONDS` although it had input. Time without input (`hasSound`) does not count: the
 * source may be slow.
 */
function killWhenHung({ stdout, kill, ended }: ChildProcess, hasSound: () => boolean): void {
  let silent = 0;
  stdout.on('data', () => {
    silent = 0;
  });
  const timer = setInterval(() => {
    silent = hasSound() ? silent + 1 : 0;
    if (silent > SILENT_SECONDS) kill();
  }, 1000);
  void ended.then(() => clearInterval(timer));
}
