/** How often one person is told that a limit is reached. */
import { expect, it } from 'vitest';
import { createLimitNotices } from '../../src/telegram/middleware/failure-boundary.ts';

const MINUTE_MS = 60_000;

function clocked() {
  let time = 0;
  const mayTell = createLimitNotices(20, () => time);
  return {
    mayTell,
    pass: (ms: number) => {
      time += ms;
    },
    told: (key: string, times: number) =>
      Array.from({ length: times }, () => mayTell(key)).filter(Boolean).length,
  };
}

it('twenty at once are all told, and of a flood no more than that', () => {
  expect(clocked().told('anna', 20)).toBe(20);
  expect(clocked().told('anna', 500)).toBe(20);
});

it('a flood that goes on is told once a minute', () => {
  const { told, pass } = clocked();
  told('anna', 500);
  let more = 0;
  for (let minute = 0; minute < 10; minute += 1) {
    pass(MINUTE_MS);
    more += told('anna', 500);
  }
  expect(more).toBe(10);
});

it('one who comes back after a while is told as before', () => {
  const { told, pass } = clocked();
  told('anna', 500);
  pass(30 * MINUTE_MS);
  expect(told('anna', 500)).toBe(20);
});

it('one person’s flood takes nothing from another, however many there are', () => {
  const { told, mayTell, pass } = clocked();
  told('anna', 500);
  for (let number = 0; number < 30_000; number += 1) expect(mayTell(`person ${number}`)).toBe(true);
  expect(mayTell('anna')).toBe(false);
  pass(MINUTE_MS);
  expect(mayTell('anna')).toBe(true);
});
