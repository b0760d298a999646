/** The check of regular expressions tells those that take more than time in proportion to their text. */
import { expect, test } from 'vitest';
import { slowness } from '../scripts/regular-expressions.ts';

test.each([
  /(?<!\n\s*)[.!?]/gu,
  /(?<![།|]\s*)་$/u,
  /(?<=a+)b/,
  /(?<=^.{3,})b/,
  /-(?<=[aeiou]\w*-)/,
  /[ \n]+$/,
  /\s*\n\s*,/g,
  /(?:a+)+b/,
  /(?:a|a)*b/,
  /^[a-z]*[aeiou][a-z]*$/,
  /^\s*\d*\s*x/,
  /.*:/u,
])('%s may take long', ({ source, flags }) => {
  expect(slowness({ source, flags })).toMatch(/\w/);
});

test.each([
  /(?<![\s.])[\s.]+$/u,
  /(?<=[\s་])གི[\s་]+/gu,
  /(?<=a{1,8})b/,
  /\n\s*[.!?]?|[.!?]/gu,
  /[[\p{L}\p{M}]&&\p{Script=Tibetan}]+/gv,
  /^(?=[^aeiou]*[aeiou])[a-z]*$/,
  /《[^《》]*》/gu,
])('%s does not', ({ source, flags }) => {
  expect(slowness({ source, flags })).toBeUndefined();
});
