/** Voice notes joined into one: every one of them sounds as it does alone, and the file is in order. */
import { execFileSync } from 'node:child_process';
import { beforeAll, describe, expect, test } from 'vitest';
import { VoiceEncoder, type VoiceNote } from '../../src/media/voice/voice-note.ts';
import { chunked, likeness, playedBack, probe, speech } from './speech.ts';

const SECONDS = [3.21, 0.1, 12.345];
const SAMPLES_PER_SECOND = 16_000;
const BYTES_PER_SAMPLE = 2;
/** The duration of a packet, which is also the maximum of padding. */
const PACKET_SECONDS = 0.06;
/** What the encoder puts before the first sample. */
const LEAD_SECONDS = 0.0065;

const voice = new VoiceEncoder(2);
let notes: VoiceNote[];
beforeAll(async () => {
  await voice.warm();
  const made = SECONDS.map((seconds) => voice.encode(chunked(speech(seconds))));
  notes = await Promise.all(made);
});

/** ffmpeg hears it to its end; throws for a wrong checksum or anything else that it finds fault with. */
function complaints(ogg: Buffer): string {
  const strictly = ['-v', 'warning', '-err_detect', 'crccheck+explode', '-i', 'pipe:0', '-f', 'null', '-'];
  return execFileSync('ffmpeg', strictly, { input: ogg, encoding: 'utf8' });
}

const join = () => voice.join(notes, new AbortController().signal);

describe('three notes', () => {
  test('joined voice notes are one file of the whole length', async () => {
    const joined = await join();
    expect(complaints(joined)).toBe('');
    const file = probe(joined);
    expect(file).toMatchObject({ streams: 1, container: 'ogg', codec: 'opus', channels: 1 });
    const seconds = playedBack(joined).length / BYTES_PER_SAMPLE / SAMPLES_PER_SECOND;
    expect(Math.abs(file.seconds - seconds)).toBeLessThan(0.02);
    const together = SECONDS.reduce((sum, seconds) => sum + seconds, 0);
    const gaps = seconds - together;
    expect(gaps).toBeGreaterThanOrEqual(0);
    expect(gaps).toBeLessThan((notes.length - 1) * (PACKET_SECONDS + LEAD_SECONDS));
  });

  test('sound each as it does alone', async () => {
    const all = playedBack(await join());
    let at = 0;
    for (const { ogg, durationSeconds } of notes) {
      const alone = playedBack(ogg);
      expect(likeness(alone, all.subarray(at, at + alone.length))).toBeGreaterThan(0.99);
      const packets = Math.ceil((durationSeconds + LEAD_SECONDS) / PACKET_SECONDS);
      at += Math.round(packets * PACKET_SECONDS * SAMPLES_PER_SECOND) * BYTES_PER_SAMPLE;
    }
  });
});
