/** Nobody holds up the bot with a small file or a long paste: all that is done with a text is done in slices. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { hasTibetan, newChinese } from '../phrases.ts';
import { useScene } from '../shared-scene.ts';
import { HEAVY_FILES, heavyPaste } from './heavy.ts';

const folder = mkdtempSync(join(tmpdir(), 'lotsawa-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const LONGEST_BLOCK = join(folder, 'block');
const probe = new URL('longest-block.mjs', import.meta.url).href;
const scene = useScene({ env: { NODE_OPTIONS: `--import=${probe}`, LONGEST_BLOCK } });

/** In ms of the bot's own work; on the machine of 1.0.0 some 50. A square of these texts took 4,000 to 60,000. */
const MAX_BLOCK_MS = 1000;

it('no text blocks the event loop, and everybody is answered meanwhile', async () => {
  const reader = scene.newcomer();
  await scene.ask(reader, newChinese(), ({ text }) => hasTibetan(text));
  rmSync(LONGEST_BLOCK, { force: true });
  const heavy = await Promise.all(
    Object.values(HEAVY_FILES).map(async (make) => {
      const person = scene.newcomer();
      const { bytes, ...file } = make();
      return person.sendDocument(person.chat, bytes, { mimeType: '', caption: '', ...file });
    }),
  );
  const writer = scene.newcomer();
  for (const text of heavyPaste()) heavy.push(writer.send(writer.chat, { text }));
  await scene.ask(reader, newChinese(), ({ text }) => hasTibetan(text));
  await Promise.all(heavy.slice(0, 1 - heavyPaste().length).map((message) => scene.answerTo(message)));
  await scene.ask(reader, newChinese(), ({ text }) => hasTibetan(text));
  expect(Number(readFileSync(LONGEST_BLOCK, 'utf8'))).toBeLessThan(MAX_BLOCK_MS);
});
