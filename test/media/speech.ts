/** Speech for the tests, and what becomes of it: sources of PCM, the ffmpeg processes running, the sound of a note. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { childrenOf, programOf } from '../processes.ts';

const SAMPLE_RATE = 16_000;

/** PCM of a voice-like tone that swells and fades four times a second, s16le. */
export function speech(seconds: number): Buffer {
  const samples = Math.round(seconds * SAMPLE_RATE);
  const pcm = Buffer.alloc(samples * 2);
  for (let n = 0; n < samples; n += 1) {
    const t = n / SAMPLE_RATE;
    const swell = 0.5 - 0.5 * Math.cos(2 * Math.PI * 4 * t);
    const tone = Math.sin(2 * Math.PI * 180 * t) + 0.5 * Math.sin(2 * Math.PI * 540 * t + Math.sin(5 * t));
    pcm.writeInt16LE(Math.round(9000 * swell * tone), n * 2);
  }
  return pcm;
}

/** The bytes in chunks of these sizes, taken in turn, each in an event-loop turn of its own. */
export async function* chunked(pcm: Buffer, sizes: readonly number[] = [3200]): AsyncGenerator<Buffer> {
  for (let at = 0, i = 0; at < pcm.length; i += 1) {
    const size = sizes[i % sizes.length] ?? 1;
    yield pcm.subarray(at, at + size);
    at += size;
    await nextTurn();
  }
}

/** Ids of the ffmpeg processes that this process started and that still run, or wait to be collected. */
export function encoders(): number[] {
  return childrenOf(process.pid).filter((pid) => ['ffmpeg', 'nice', 'sh'].includes(programOf(pid)));
}

/** Resolves when the condition holds; the test's own time limit is the only clock. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await nextTurn();
}

/** Resolves after this number of turns of the event loop. */
export async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await nextTurn();
}

/** What ffprobe says of a file; a real one, since the duration of a pipe is not known. */
export function probe(ogg: Buffer) {
  const folder = mkdtempSync(join(tmpdir(), 'lotsawa-voice-'));
  try {
    const path = join(folder, 'note.ogg');
    writeFileSync(path, ogg);
    const options = ['-v', 'error', '-show_format', '-show_streams', '-of', 'json', path];
    const { streams, format } = JSON.parse(execFileSync('ffprobe', options, { encoding: 'utf8' }));
    return {
      streams: streams.length,
      container: format.format_name,
      codec: streams[0].codec_name,
      channels: streams[0].channels,
      sampleRate: Number(streams[0].sample_rate),
      seconds: Number(format.duration),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The file played back, as PCM like the service's. */
export function playedBack(ogg: Buffer): Buffer {
  const options = [
    '-v',
    'error',
    '-i',
    'pipe:0',
    '-f',
    's16le',
    '-ar',
    `${SAMPLE_RATE}`,
    '-ac',
    '1',
    'pipe:1',
  ];
  return execFileSync('ffmpeg', options, { input: ogg, maxBuffer: 1e8 });
}

/** 1 for the same sound, 0 for unrelated ones. */
export function likeness(one: Buffer, other: Buffer): number {
  let product = 0;
  let oneEnergy = 0;
  let otherEnergy = 0;
  for (let at = 0; at + 2 <= Math.min(one.length, other.length); at += 2) {
    const [a, b] = [one.readInt16LE(at), other.readInt16LE(at)];
    product += a * b;
    oneEnergy += a * a;
    otherEnergy += b * b;
  }
  return product / Math.sqrt(oneEnergy * otherEnergy);
}
