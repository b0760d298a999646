/** A missing or incomplete ffmpeg is reported at the start, and never makes a broken note. */
import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'lotsawa-ffmpeg-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A stand-in for ffmpeg that answers what it can do as the real one does, through `filter`, and then runs `encode`. */
function standIn(name: string, { filter = 'cat', encode = 'exit 0' }): string {
  const path = join(folder, name);
  const script = `#!/bin/sh\ncase "$*" in -bsfs|-encoders) ffmpeg -v error "$@" | ${filter};; *) ${encode};; esac\n`;
  writeFileSync(path, script);
  chmodSync(path, 0o755);
  return path;
}

/** What comes of a call in a process of its own, since the ffmpeg to run stands in the environment. */
async function outcome(ffmpegPath: string, call: string): Promise<unknown> {
  const code = `
    import { VoiceEncoder } from ${JSON.stringify(new URL('../../src/media/voice/voice-note.ts', import.meta.url).href)};
    const voice = new VoiceEncoder(1);
    const answer = await ${call}.then(() => ({ kind: 'none' }), ({ kind, message }) => ({ kind, message }));
    process.stdout.write(JSON.stringify(answer));`;
  const env = { ...process.env, FFMPEG_PATH: ffmpegPath };
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code], {
    env,
  });
  return JSON.parse(stdout);
}

const WARM = 'voice.warm()';
const ENCODE = 'voice.encode((async function* () { yield Buffer.alloc(32000); })())';

describe('ffmpeg', () => {
  test('that does what is needed is accepted', async () => {
    expect(await outcome(standIn('good', {}), WARM)).toEqual({ kind: 'none' });
  });

  test.skipIf(!existsSync('/proc/self/autogroup'))(
    'gives way to the bot, also where Linux shares the processor among sessions',
    async () => {
      const waits = 'until grep -q "nice 10" /proc/$$/autogroup; do sleep 0.05; done';
      const gaveWay = standIn('yielding', { encode: `${waits}; exec ffmpeg "$@"` });
      expect(await outcome(gaveWay, ENCODE)).toEqual({ kind: 'none' });
    },
  );

  test('that is missing is reported at the start, in words for the operator', async () => {
    const answer = await outcome(join(folder, 'missing'), WARM);
    expect(answer).toEqual({ kind: 'audio', message: expect.stringContaining('install ffmpeg') });
  });

  test('without libopus is reported at the start, in words for the operator', async () => {
    const answer = await outcome(standIn('poor', { filter: 'grep -v libopus' }), WARM);
    expect(answer).toEqual({ kind: 'audio', message: expect.stringContaining('libopus') });
  });

  test('that never says what it can do is given up', async () => {
    const hanging = standIn('hanging', { filter: 'cat; exec sleep 1000' });
    expect(await outcome(hanging, WARM)).toEqual({
      kind: 'audio',
      message: expect.stringContaining('ffmpeg'),
    });
  });

  test.each([
    ['fails midway', () => standIn('failing', { encode: 'head -c 999 >/dev/null; printf OggS; exit 1' })],
    ['fails at the end', () => standIn('late', { encode: 'cat >/dev/null; printf OggS; exit 1' })],
  ])('that %s fails the note', async (_name, path) => {
    expect(await outcome(path(), ENCODE)).toMatchObject({ kind: 'audio' });
  });
});
