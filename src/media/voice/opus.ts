/**
 * PCM to OGG/Opus by an ffmpeg process. Together with encoder-processes.ts the only file that knows
 * fluent-ffmpeg, which is archived, and its traps.
 */
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import ffmpeg from 'fluent-ffmpeg';
import { Failure } from '../../errors.ts';
import { CHANNELS, SAMPLE_RATE } from '../../pcm-format.ts';
import { createCollector, createWatchdog } from './encoder-output.ts';
import { NICENESS } from './encoder-priority.ts';
import { holdProcesses } from './encoder-processes.ts';
import { isWholeOgg } from './whole-ogg.ts';

const INPUT_OPTIONS = ['-loglevel', 'error', '-f', 's16le', '-ar', `${SAMPLE_RATE}`, '-ac', `${CHANNELS}`];

const OUTPUT_OPTIONS = [
  // True to the sound (Opus' CELT), where `voip` models a voice (SILK) at more than twice the processor time. Beside the same rate of
  // `voip`, a quarter of its frames have noise that is not masked rather than two thirds; the finest structure is kept as by `voip`
  // at 21 kbit/s. RFC 7587 §3.1.1 asks for 16 to 20 for wideband speech, which is all that 16 kHz can hold.
  ...['-application', 'audio'],
  // Constrained, whatever is said takes at most 31.5 kB for 10 s, under the 32 we allow ourselves.
  ...['-b:a', '24k', '-vbr', 'constrained'],
  // Long packets save 5 % of the file; delay matters to calls, not to a recording.
  ...['-frame_duration', '60'],
  // Of 0 to 10; from 7 on Opus looks for speech first, which takes four times as long.
  ...['-compression_level', '5'],
];

/**
 * Which ffmpeg to run: a path, or a name that is looked up in PATH. fluent-ffmpeg has one per process, so this
 * holds for all encoders. Else FFMPEG_PATH or PATH decides, which fluent-ffmpeg looks up before its first command.
 */
export function useFfmpeg(path: string): void {
  ffmpeg.setFfmpegPath(path);
}

/**
 * Asks ffmpeg what it can do, which fluent-ffmpeg otherwise does under the first speech (twice 50 ms). Throws
 * `audio`, in words for the operator, when there is no ffmpeg, it does not answer, or it has no Opus encoder.
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
 * The OGG file made of s16le, 16 kHz, mono PCM. `pcm` must not emit errors: to give up, abort `stop`, which
 * kills ffmpeg at once. `complete` resolves with the number of samples once all of them are there. Settles only
 * when the process is gone, with all that it started. Throws the reason of `stop`, or `audio` when ffmpeg could
 * not start, failed, hung, made something else than the whole file, or was killed by someone else.
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
    // 'end' is the exit code's word, and may come before the last bytes are read from the pipe.
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
