/** When a token runs out, whatever unit and meaning its field has. */
import { expect, test } from 'vitest';
import { expiryOf } from '../../src/service/token.ts';

const NOW = Date.parse('2025-03-01T12:00:00Z');
const NOW_S = NOW / 1000;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const jwt = (claims: object) => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.sig`;

const spellings: [string, unknown, number][] = [
  ['30 days left, in seconds', 2_592_000, 30 * DAY],
  ['an hour left, in seconds', 3600, HOUR],
  ['a minute left, in seconds', 60, 60_000],
  ['30 days left, in milliseconds', 2_592_000_000, 30 * DAY],
  ['a day left, in milliseconds', DAY, DAY],
  ['an hour left, in milliseconds', HOUR, HOUR],
  ['a date in 30 days, in seconds', NOW_S + 2_592_000, 30 * DAY],
  ['a date in an hour, in seconds', NOW_S + 3600, HOUR],
  ['a date in 30 days, in milliseconds', NOW + 30 * DAY, 30 * DAY],
  ['a date in an hour, in milliseconds', NOW + HOUR, HOUR],
  ['seconds as a string', '7200', 2 * HOUR],
  ['a date in milliseconds as a string', String(NOW + HOUR), HOUR],
  ['seconds with a fraction', 1799.5, 1_799_500],
  ['nothing', undefined, 30 * DAY],
  ['null', null, 30 * DAY],
  ['zero', 0, 30 * DAY],
  ['a negative number', -1, 30 * DAY],
  ['words', 'in a month', 30 * DAY],
  ['a date that is past', NOW - HOUR, 30 * DAY],
  ['far more than any token lives', 1e15, 30 * DAY],
  ['an object', { seconds: 3600 }, 30 * DAY],
];

test.each(spellings)('a lifetime given as %s is understood', (_name, expires, lifetime) => {
  expect(expiryOf('no-jwt', expires, NOW) - NOW).toBe(lifetime);
});

test.each([
  ['its own date, when nothing else is said', jwt({ exp: NOW_S + 3600 }), undefined, HOUR],
  ['its own date, when that is earlier', jwt({ exp: NOW_S + 3600 }), 7200, HOUR],
  ['the date beside it, when that is earlier', jwt({ exp: NOW_S + 7200 }), 3600, HOUR],
  ['the date beside it, when its own is past', jwt({ exp: NOW_S - 5 }), 3600, HOUR],
  ['the date beside it, when it has none', jwt({ sub: 'x' }), 3600, HOUR],
  ['the date beside it, when its own is no number', jwt({ exp: 'soon' }), 3600, HOUR],
  ['the date beside it, when it only looks like a JWT', 'aaa.bbb.ccc', 3600, HOUR],
  ['30 days, when nothing can be read', jwt({ exp: {} }), 'soon', 30 * DAY],
])('a JWT runs out at %s', (_name, token, expires, lifetime) => {
  expect(expiryOf(token, expires, NOW) - NOW).toBe(lifetime);
});
