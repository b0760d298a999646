/** Makes OGG/Opus with ffmpeg: of PCM, of a voice note at another speed, of several in turn. */
import { execFile } from 'node:child_process';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import ffmpeg from 'fluent-ffmpeg';
import { Failure } from '../../errors.ts';
import { throwIfCancelled } from '../../patience.ts';
import { ffmpegPath, runBounded } from '../child-process.ts';
import { CHANNELS, SAMPLE_RATE } from './speech-intake.ts';

/** The speed of slow speech, relative to speech. */
export const SLOW_TEMPO = 0.75;

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
  ...['-codec:a', 'libopus'],
  // A model of a voice (SILK).
  ...['-application', 'voip'],
  // At most 29 kB for 10 s of what was measured, under the 32 that we allow ourselves. Constrained, it is bounded whatever is said.
  ...['-b:a', '24k', '-vbr', 'constrained'],
  // Long packets save 5 % of the file; delay matters to calls, not to a recording.
  ...['-frame_duration', '60'],
  // Of 0 to 10.
  ...['-compression_level', '5'],
];

/** Options of ffmpeg. */
interface Task {
  readonly input: readonly string[];
  readonly output: readonly string[];
}

const OGG = ['-f', 'ogg'];
/** The samples of a packet of 60 ms, in Opus's own rate (RFC 7845 §4), whatever its input's. */
const PACKET_GRANULES = 2880;

const PCM: Task = {
  input: ['-f', 's16le', '-ar', `${SAMPLE_RATE}`, '-ac', `${CHANNELS}`],
  output: OUTPUT_OPTIONS,
};
/** Keeps the pitch; at the rate of the speech it takes a third less time than at Opus's. */
const SLOW: Task = {
  input: OGG,
  output: ['-filter:a', `aresample=${SAMPLE_RATE},atempo=${SLOW_TEMPO}`, ...OUTPUT_OPTIONS],
};
/** Copies the packets of several files in turn, and counts them anew; the same notes always give the same file. */
const JOIN: Task = {
  input: OGG,
  output: ['-codec:a', 'copy', '-bsf:a', `setts=ts=STARTPTS+N*${PACKET_GRANULES}`, '-fflags', '+bitexact'],
};

/** What ffmpeg must list, by the option that lists it: its encoder of Opus, and what `JOIN` needs. */
const NEEDED = { '-encoders': /^ A\S* +libopus /m, '-bsfs': /^setts$/m } as const;
/** ffmpeg lists some 40 kB in 50 ms. */
const LISTS_WITHIN_MS = 20_000;

/** Throws `audio`, with a message for the operator, if ffmpeg is missing, does not answer, or cannot make voice notes. */
export async function probeFfmpeg(): Promise<void> {
  const limits = { timeout: LISTS_WITHIN_MS, killSignal: 'SIGKILL' } as const;
  const probes = Object.entries(NEEDED).map(async ([option, line]) => {
    const { stdout } = await promisify(execFile)(ffmpegPath(), [option], limits);
    return line.test(stdout);
  });
  const has = await Promise.all(probes).catch((cause: unknown) => {
    throw new Failure('audio', 'ffmpeg does not run: install ffmpeg with libopus', { cause });
  });
  if (has.includes(false)) {
    throw new Failure(
      'audio',
      'this ffmpeg cannot make voice notes: it has no libopus, or is older than 4.4',
    );
  }
}

/** Half an hour of speech: more than a text of 3000 characters takes. */
const MAX_NOTE_BYTES = 6 * 1024 * 1024;
/** Writable memory in kB, and processor time, of ffmpeg: it takes 40 MB, and 12 s for 17 minutes of speech. */
const BOUNDS = { dataKb: 500_000, seconds: 300 };

/**
 * Encodes s16le, 16 kHz, mono PCM as an OGG file. `pcm` must not emit errors, and ends only if it is complete: to give up, abort `stop`,
 * which kills ffmpeg at once. Settles only when the process and its whole group have ended. Throws `audio` if ffmpeg could not start, failed,
 * hung, or was killed; `cancelled`.
 */
export function encodeOpus(pcm: Readable, stop: AbortSignal): Promise<Buffer> {
  return run(PCM, pcm, MAX_NOTE_BYTES, stop);
}

/** Settles and throws like `encodeOpus`. */
export function slowed(ogg: Buffer, stop: AbortSignal): Promise<Buffer> {
  return run(SLOW, [ogg], MAX_NOTE_BYTES, stop);
}

/** A page of OGG has a header of 27 bytes, and holds a second of sound. */
const MORE_WHEN_JOINED = 1.1;

/** Plays all notes; between two are up to 66.5 ms of the encoder's silence. Throws like `encodeOpus`. */
export function joined(oggs: readonly Buffer[], stop: AbortSignal): Promise<Buffer> {
  const bytes = oggs.reduce((sum, { length }) => sum + length, 0);
  return run(JOIN, oggs, Math.ceil(bytes * MORE_WHEN_JOINED), stop);
}

/** fluent-ffmpeg only writes the command: it is archived, opens no process group, and throws uncatchably if no process can start. */
async function run(
  { input, output: options }: Task,
  source: Readable | readonly Buffer[],
  maxBytes: number,
  stop: AbortSignal,
): Promise<Buffer> {
  const written = ffmpeg()
    .input('pipe:0')
    .inputOptions(['-loglevel', 'error', ...input])
    .outputOptions([...options])
    .format('ogg')
    .output('pipe:1')
    ._getArguments();
  const command = [ffmpegPath(), ...written];
  try {
    const bounds = { ...BOUNDS, maxBytes };
    const { code, output, cause } = await runBounded(command, process.env, source, bounds, stop);
    // It also ends well if it has encoded nothing.
    if (code !== 0 || output.length === 0) throw cause;
    // Not the rest of the memory that an output may take.
    return Buffer.from(output);
  } catch (cause) {
    throwIfCancelled(stop);
    throw new Failure('audio', 'ffmpeg made no voice note', { cause });
  }
}
