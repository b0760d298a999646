/** The chart of /stats needs no font, and says in itself what its colours mean. */
import { spawnSync } from 'node:child_process';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { drawDailyCalls } from '../../src/media/picture/daily-calls-chart.ts';

const days = Array.from({ length: 30 }, (_, index) => ({
  day: `2026-01-${String(index + 1).padStart(2, '0')}`,
  recognition: 3,
  translation: index,
  speech: 4,
  reused: 2,
}));

const AS_A_PROGRAM = `
  import { drawDailyCalls } from ${JSON.stringify(new URL('../../src/media/picture/daily-calls-chart.ts', import.meta.url).href)};
  process.stdout.write(await drawDailyCalls(${JSON.stringify(days)}));`;

/** How many pixels in a part of the picture are as dark as its figures. */
async function inked(chart: Buffer, left: number, top: number, width: number, height: number) {
  const part = sharp(chart).removeAlpha().greyscale().extract({ left, top, width, height });
  return (await part.raw().toBuffer()).filter((brightness) => brightness < 120).length;
}

test('on a machine without fonts it is the same to the byte, and nothing is said on standard error', async () => {
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', AS_A_PROGRAM], {
    env: { FONTCONFIG_FILE: '/dev/null', FONTCONFIG_PATH: '/dev/null', XDG_DATA_HOME: '/dev/null' },
  });
  expect(stderr.toString()).toBe('');
  expect(stdout.equals(await drawDailyCalls(days))).toBe(true);
});

test('its figures are there: sums beside the colours, calls beside the lines, days below', async () => {
  const chart = await drawDailyCalls(days);
  for (const [left, top, width, height] of [
    [216, 30, 90, 60],
    [474, 30, 90, 60],
    [732, 30, 90, 60],
    [990, 30, 90, 60],
    [20, 690, 80, 40],
    [20, 110, 80, 40],
    [1070, 735, 120, 50],
  ] as const) {
    expect(await inked(chart, left, top, width, height)).toBeGreaterThan(60);
  }
});

test('a day more of one kind changes the sum of that kind alone', async () => {
  const legendOf = async (chart: Buffer) =>
    sharp(chart).extract({ left: 0, top: 0, width: 1200, height: 100 }).raw().toBuffer();
  const [first, ...rest] = days;
  if (first === undefined) throw new Error('there are no days');
  const before = await legendOf(await drawDailyCalls(days));
  const after = await legendOf(await drawDailyCalls([{ ...first, speech: 5 }, ...rest]));
  const channels = before.length / 1200 / 100;
  const changed = new Set<number>();
  for (let at = 0; at < before.length; at += 1) {
    // Its few colours shift a little from one picture to the next.
    if (Math.abs((before[at] ?? 0) - (after[at] ?? 0)) > 60)
      changed.add(Math.floor((((at / channels) % 1200) - 110) / 258.5));
  }
  expect(changed).toEqual(new Set([2]));
});
