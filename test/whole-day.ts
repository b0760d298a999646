/** Set up before every test file: no test sees a UTC day end, whose calls are counted anew from then on. */
import { setTimeout as delay } from 'node:timers/promises';
import { beforeEach } from 'vitest';
import { msUntilNextDay } from '../src/store/money/spending.ts';

/** Longer than a test takes, in ms. */
const A_TEST_MS = 120_000;

beforeEach(async () => {
  const left = msUntilNextDay(Date.now());
  if (left < A_TEST_MS) await delay(left);
});
