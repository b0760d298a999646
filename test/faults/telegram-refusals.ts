/** Ways in which Telegram itself says no for now, spelled rightly and wrongly. */
import { instead } from './breakages.ts';
import type { Breakage } from './fault-proxy.ts';

export const refused = (parameters: object) =>
  instead(429, JSON.stringify({ ok: false, error_code: 429, ...parameters }));
const TOO_MANY = 'Too Many Requests: retry later';

/** All of them pass: the call works when it is made again. */
export const REFUSALS: Record<string, Breakage> = {
  '429 for 1 s': refused({ description: TOO_MANY, parameters: { retry_after: 1 } }),
  '429 without a time': refused({ description: TOO_MANY }),
  '429 in the status alone': instead(429, 'slow down'),
  'an error of its own with 200': instead(200, '{"ok":false,"error_code":500,"description":"Internal"}'),
  'no result': instead(200, '{"ok":true}'),
};

/** One fault of each kind, for calls that go the way of others which meet them all. */
export const KINDS: readonly string[] = [
  ...['reset before the work', 'reset after the work', 'cut short of its length'],
  ...['silent, and the work done', 'a web page with 502', 'broken JSON'],
  ...['429 for 1 s', 'no result'],
];
