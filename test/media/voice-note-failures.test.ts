/** Whatever goes wrong with a speech, there is no shortened note, no ffmpeg left, and the first fault is the one reported. */
import { getEventListeners } from 'node:events';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Failure } from '../../src/errors.ts';
import { VoiceEncoder } from '../../src/media/voice/voice-note.ts';
import { chunked, encoders, speech, turns, until } from './speech.ts';

const voice = new VoiceEncoder(2);

beforeAll(() => voice.warm());
afterEach(() => expect(encoders()).toEqual([]));

/** Half a second of speech, and then nothing, never. */
async function* stalled(): AsyncGenerator<Buffer> {
  yield speech(0.5);
  await new Promise(() => {});
}

describe('an abort', () => {
  test.each(['works', 'is stuck'])(
    'kills an encoder that %s, and is answered at once, with its own reason',
    async (how) => {
      const reason = new Failure('unavailable', 'the process stops');
      const stop = new AbortController();
      const note = voice.encode(stalled(), stop.signal);
      await until(() => encoders().length === 1);
      if (how === 'is stuck') for (const pid of encoders()) process.kill(pid, 'SIGSTOP');
      stop.abort(reason);
      await expect(note).rejects.toBe(reason);
      expect(encoders()).toEqual([]);
      expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
    },
  );

  test('at any moment of an encoder’s start leaves none behind', async () => {
    for (let moment = 0; moment < 40; moment += 1) {
      const stop = new AbortController();
      const note = voice.encode(stalled(), stop.signal);
      const aborted = turns(moment).then(() => stop.abort());
      await expect(note).rejects.toMatchObject({ kind: 'cancelled' });
      await aborted;
      expect(encoders()).toEqual([]);
    }
  });

  test('while waiting for an encoder is answered at once, and its speech is never encoded', async () => {
    const one = new VoiceEncoder(1);
    const [holding, waiting] = [new AbortController(), new AbortController()];
    const held = one.encode(stalled(), holding.signal);
    await until(() => encoders().length === 1);
    const [first] = encoders();
    const note = one.encode(stalled(), waiting.signal);
    waiting.abort();
    await expect(note).rejects.toMatchObject({ kind: 'cancelled' });
    expect(encoders()).toEqual([first]);
    holding.abort();
    await expect(held).rejects.toMatchObject({ kind: 'cancelled' });
  });

  test('before the work starts it not, and reads nothing of the source', async () => {
    let read = false;
    async function* source() {
      read = true;
      yield speech(0.1);
    }
    await expect(voice.encode(source(), AbortSignal.abort())).rejects.toMatchObject({ kind: 'cancelled' });
    expect(read).toBe(false);
  });

  test('after the note is made does nothing', async () => {
    const stop = new AbortController();
    await voice.encode(chunked(speech(0.2)), stop.signal);
    expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
    stop.abort();
  });
});

describe('a source', () => {
  test('that breaks midway fails the note with its own error', async () => {
    const broken = new TypeError('terminated');
    async function* source() {
      yield speech(0.5);
      await until(() => encoders().length === 1);
      throw broken;
    }
    await expect(voice.encode(source())).rejects.toBe(broken);
  });

  test('that breaks before its first byte fails the note with its own error', async () => {
    const broken = new Failure('quota', 'no more speech today');
    // biome-ignore lint/correctness/useYield: a source that gives nothing
    async function* source(): AsyncGenerator<Buffer> {
      throw broken;
    }
    await expect(voice.encode(source())).rejects.toBe(broken);
  });

  test.each([
    ['is empty', []],
    ['gives only empty chunks', [Buffer.alloc(0), Buffer.alloc(0)]],
    ['ends in the middle of a sample', [speech(0.5), Buffer.from([7])]],
    ['is a single byte', [Buffer.from([7])]],
  ])('that %s makes no note', async (_name, chunks) => {
    async function* source() {
      yield* chunks;
    }
    await expect(voice.encode(source())).rejects.toMatchObject({ name: 'Failure', kind: 'audio' });
  });
});

test.each(['SIGTERM', 'SIGINT', 'SIGXCPU', 'SIGKILL'] as const)(
  'an encoder ended from outside by %s makes no note, and the whole speech is handed out',
  async (signal) => {
    // Once it reads, ffmpeg answers all but SIGKILL with a shortened but well-formed file, and exits with 255; but only when more sound wakes
    // it.
    async function* source() {
      yield speech(0.5);
      await until(() => encoders().length === 1);
      for (const pid of encoders()) process.kill(pid, signal);
      yield* chunked(speech(5));
    }
    const wholes: (Buffer | undefined)[] = [];
    const note = voice.encode(source(), undefined, (whole) => void whole().then((all) => wholes.push(all)));
    await expect(note).rejects.toMatchObject({ kind: 'audio' });
    expect(wholes.map((all) => all?.length)).toEqual([speech(5.5).length]);
  },
);
