/** Speech becomes a voice note while it is still arriving. */
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { BACKLOG_BYTES } from '../../src/media/voice/speech-intake.ts';
import { VoiceEncoder } from '../../src/media/voice/voice-note.ts';
import { chunked, encoders, likeness, playedBack, probe, speech, turns, until } from './speech.ts';

const voice = new VoiceEncoder(2);
const FRAME_SECONDS = 0.02;

beforeAll(() => voice.warm());

describe('a voice note', () => {
  test.each([0.1, 1, 12.345])('of %d s is what Telegram wants, and as long as it says', async (seconds) => {
    const note = await voice.encode(chunked(speech(seconds)));
    expect(note.durationSeconds).toBe(seconds);
    const { seconds: seen, ...rest } = probe(note.ogg);
    expect(rest).toEqual({ streams: 1, container: 'ogg', codec: 'opus', channels: 1, sampleRate: 48_000 });
    expect(Math.abs(seen - seconds)).toBeLessThan(FRAME_SECONDS);
  });

  test('of a single sample exists', async () => {
    const note = await voice.encode(chunked(Buffer.from([1, 0])));
    expect(note.durationSeconds).toBe(1 / 16_000);
    expect(probe(note.ogg).codec).toBe('opus');
  });

  test('of 10 s takes at most 32 kB', async () => {
    expect((await voice.encode(chunked(speech(10)))).ogg.length).toBeLessThan(32_000);
  });

  test('is encoded as a voice, which keeps deep ones whole (opus.ts)', async () => {
    const { ogg } = await voice.encode(chunked(speech(1)));
    // The page after the two headers; the first byte of a packet tells its mode (RFC 6716 §3.1), 0 to 15 with SILK.
    const page = ogg.subarray(ogg.indexOf('OggS', ogg.indexOf('OpusTags')));
    const packet = 27 + page.readUInt8(26);
    expect(page.readUInt8(packet) >> 3).toBeLessThan(16);
  });

  test('holds every sample and sounds like the speech, however its bytes are torn', async () => {
    const pcm = speech(1.5);
    const sizes = fc.array(fc.integer({ min: 1, max: 9000 }), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(sizes, async (torn) => {
        const note = await voice.encode(chunked(pcm, torn));
        expect(note.durationSeconds).toBe(1.5);
        const heard = playedBack(note.ogg);
        expect(heard.length).toBe(pcm.length);
        expect(likeness(pcm, heard)).toBeGreaterThan(0.8);
      }),
      { numRuns: 8, examples: [[[1, 3]], [[3201]]] },
    );
  });
});

describe('while speech arrives', () => {
  test('it is being encoded', async () => {
    const pcm = speech(2);
    async function* endingOnlyOnceEncoded() {
      yield pcm.subarray(0, 32_001);
      await until(() => encoders().length === 1);
      yield pcm.subarray(32_001);
    }
    expect((await voice.encode(endingOnlyOnceEncoded())).durationSeconds).toBe(2);
    expect(encoders()).toEqual([]);
  });

  test('no encoder is started before the first bytes', async () => {
    async function* slowToBegin() {
      for (let turn = 0; turn < 50; turn += 1) {
        yield Buffer.alloc(0);
        expect(encoders()).toEqual([]);
      }
      yield speech(0.1);
    }
    expect((await voice.encode(slowToBegin())).durationSeconds).toBe(0.1);
  });
});

describe('several speeches', () => {
  test('run no more encoders than allowed for slow sources, and one more', async () => {
    let most = 0;
    let done = 0;
    const speeches = Array.from({ length: 8 }, async () => {
      await voice.encode(chunked(speech(3)));
      done += 1;
    });
    await until(() => {
      most = Math.max(most, encoders().length);
      return done === 8;
    });
    await Promise.all(speeches);
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(3);
  });

  test('do not wait for the slow source of another', async () => {
    const one = new VoiceEncoder(1);
    const release = Promise.withResolvers<void>();
    async function* slow() {
      yield speech(1);
      await release.promise;
      yield speech(1);
    }
    const slowNote = one.encode(slow());
    await until(() => encoders().length === 1);
    expect((await one.encode(chunked(speech(2)))).durationSeconds).toBe(2);
    expect(encoders()).toHaveLength(1);
    release.resolve();
    expect((await slowNote).durationSeconds).toBe(2);
  });

  test('that have to wait for an encoder fill memory only so far', async () => {
    const one = new VoiceEncoder(1);
    const stop = new AbortController();
    async function* silent() {
      yield speech(0.1);
      await new Promise(() => {});
    }
    const chunk = speech(10);
    let given = 0;
    async function* farTooLong() {
      for (; given < 2 * BACKLOG_BYTES; given += chunk.length) yield chunk;
    }
    const both = [one.encode(silent(), stop.signal), one.encode(farTooLong(), stop.signal)];
    await until(() => given >= BACKLOG_BYTES - chunk.length);
    await turns(500);
    expect(given).toBeLessThan(BACKLOG_BYTES + 2 * chunk.length);
    stop.abort();
    for (const outcome of await Promise.allSettled(both))
      expect(outcome).toMatchObject({ reason: { kind: 'cancelled' } });
    expect(encoders()).toEqual([]);
  });
});
