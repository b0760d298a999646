/** How often one person is told that a limit is reached. */
import { expect, it } from 'vitest';
import { NoticeLimit } from '../../src/telegram/middleware/failure-boundary.ts';

const MAX = 10;
let time = 0;
const limit = new NoticeLimit(() => time);
const told = (key: string) => Array.from({ length: 500 }, () => limit.may(key, MAX)).filter(Boolean).length;

it('a flood is told ten times a minute, and takes nothing from others, however many there are', () => {
  expect(told('anna')).toBe(MAX);
  time += 30_000;
  for (let number = 0; number < 30_000; number += 1) expect(limit.may(`person ${number}`, MAX)).toBe(true);
  expect(told('anna')).toBe(0);
  time += 30_000;
  expect(told('anna')).toBe(MAX);
});
