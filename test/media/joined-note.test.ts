/** Voice notes joined into one: every one of them sounds as it does alone, and the file is in order. */
import { execFileSync } from 'node:child_process';
import { beforeAll, describe, expect, test } from 'vitest';
import { joinNotes } from '../../src/media/voice/joined-note.ts';
import { movePage, pagesOf, secondsOf, serialOf } from '../../src/media/voice/ogg-opus.ts';
import { VoiceEncoder } from '../../src/media/voice/voice-note.ts';
import { chunked, likeness, playedBack, probe, speech } from './speech.ts';

const SECONDS = [3.21, 0.1, 12.345];
const SAMPLES_PER_SECOND = 16_000;
const BYTES_PER_SAMPLE = 2;
/** The duration of a packet, which is also the maximum of padding. */
const PACKET_SECONDS = 0.06;
/** What the encoder puts before the first sample. */
const LEAD_SECONDS = 0.0065;

const voice = new VoiceEncoder(2);
let notes: Buffer[];
beforeAll(async () => {
  await voice.warm();
  const made = SECONDS.map(async (seconds) => (await voice.encode(chunked(speech(seconds)))).ogg);
  notes = await Promise.all(made);
});

/** ffmpeg hears it to its end; throws for a wrong checksum or anything else that it finds fault with. */
function complaints(ogg: Buffer): string {
  const strictly = ['-v', 'warning', '-err_detect', 'crccheck+explode', '-i', 'pipe:0', '-f', 'null', '-'];
  return execFileSync('ffmpeg', strictly, { input: ogg, encoding: 'utf8' });
}

test('a page in its own place is the page that the encoder wrote, checksum and all', () => {
  for (const [sequence, page] of pagesOf(notes[2] ?? Buffer.alloc(0)).entries()) {
    const place = { granule: page.granule, serial: serialOf(page), sequence, isEnd: page.isEnd };
    const copy = Buffer.from(page.bytes);
    movePage(copy, place);
    expect(copy.equals(page.bytes)).toBe(true);
  }
});

describe('three notes', () => {
  test('are one file, as long as it says and as they are together, but for the gaps', async () => {
    const joined = await joinNotes(notes);
    expect(complaints(joined)).toBe('');
    const file = probe(joined);
    expect(file).toMatchObject({ streams: 1, container: 'ogg', codec: 'opus', channels: 1 });
    const seconds = secondsOf(joined);
    expect(Math.abs(file.seconds - seconds)).toBeLessThan(0.02);
    expect(playedBack(joined).length / BYTES_PER_SAMPLE / SAMPLES_PER_SECOND).toBeCloseTo(seconds, 2);
    const together = SECONDS.reduce((sum, seconds) => sum + seconds, 0);
    const gaps = seconds - together;
    expect(gaps).toBeGreaterThanOrEqual(0);
    expect(gaps).toBeLessThan((notes.length - 1) * (PACKET_SECONDS + LEAD_SECONDS));
  });

  test('sound each as it does alone', async () => {
    const all = playedBack(await joinNotes(notes));
    let at = 0;
    for (const note of notes) {
      const alone = playedBack(note);
      expect(likeness(alone, all.subarray(at, at + alone.length))).toBeGreaterThan(0.99);
      const packets = pagesOf(note)
        .slice(2)
        .reduce((sum, page) => sum + page.packets, 0);
      at += Math.round(packets * PACKET_SECONDS * SAMPLES_PER_SECOND) * BYTES_PER_SAMPLE;
    }
  });
});

test('one note alone stays as long as it is', async () => {
  const joined = await joinNotes(notes.slice(2));
  expect(secondsOf(joined)).toBeCloseTo(SECONDS[2] ?? 0, 4);
  expect(joined.equals(notes[2] ?? Buffer.alloc(0))).toBe(true);
});

test.each<[string, (note: Buffer) => Buffer]>([
  ['has lost its last page', (note) => without(note, -1)],
  ['ends within a page', (note) => note.subarray(0, note.length - 1)],
  ['has lost a page in its middle', (note) => without(note, 4)],
  ['begins with something else', (note) => Buffer.concat([Buffer.from('x'), note])],
  ['is empty', () => Buffer.alloc(0)],
])('a note that %s is refused rather than joined', async (_, spoil) => {
  const [first = Buffer.alloc(0), , last = Buffer.alloc(0)] = notes;
  await expect(joinNotes([first, spoil(last)])).rejects.toMatchObject({ kind: 'audio' });
  await expect(joinNotes([spoil(last), first])).rejects.toMatchObject({ kind: 'audio' });
});

/** The note without the page at this place. */
function without(note: Buffer, index: number): Buffer {
  const pages = pagesOf(note).map(({ bytes }) => bytes);
  return Buffer.concat(pages.toSpliced(index, 1));
}
