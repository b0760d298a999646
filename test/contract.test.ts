/** What the bot asks of Telegram is in the Bot API as its types have it today: each method, each kind of update. Its parameters: scene.ts. */
import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import type { ApiMethods, Update } from '@grammyjs/types';
import { Telegram } from 'telegraf';
import { expect, it } from 'vitest';
import { parametersOf } from '../sandbox/telegram/known-parameters.ts';
import { allMethods } from '../sandbox/telegram/methods/all.ts';
import { ALLOWED_UPDATES } from '../src/telegram/intake/take-in.ts';

/** Held by the compiler. */
const kinds: ReadonlyArray<Exclude<keyof Update, 'update_id'>> = ALLOWED_UPDATES;

/** Methods of Telegraf that are called otherwise than the Bot API's. */
const SAME: Readonly<Record<string, keyof ApiMethods<unknown>>> = { answerCbQuery: 'answerCallbackQuery' };

/** Methods of `Telegram` that call no method of the Bot API. */
const OWN = new Set(['callApi']);

async function calledIn(...folders: readonly string[]): Promise<Map<string, string>> {
  const called = new Map<string, string>();
  for await (const file of glob(folders.map((folder) => `${folder}/**/*.ts`))) {
    const text = readFileSync(file, 'utf8');
    const byName = [...text.matchAll(/\b(?:callApi|callRecent)\(\s*'(\w+)'/gu)].map(([, name = '']) => name);
    const ofTelegraf = [...text.matchAll(/\b(?:ctx|telegram|api|this)\s*\.(\w+)\(/gu)]
      .map(([, name = '']) => name)
      .filter((name) => name in Telegram.prototype && !OWN.has(name));
    for (const name of [...byName, ...ofTelegraf]) called.set(SAME[name] ?? name, file);
  }
  return called;
}

it('the bot calls only methods that the Bot API has today', async () => {
  const called = await calledIn('src', 'handlers');
  for (const name of ['sendMessage', 'editMessageText', 'answerCallbackQuery', 'getUpdates', 'getFile'])
    expect(called.has(name), name).toBe(true);
  const unknown = [...called].filter(([name]) => parametersOf(name) === undefined);
  expect(unknown).toEqual([]);
});

it('the local Telegram knows the parameters of every method that it serves', () => {
  expect(Object.keys(allMethods).filter((name) => parametersOf(name) === undefined)).toEqual([]);
});

it('the bot asks for kinds of updates that there are, each once', () => {
  expect(new Set(kinds).size).toBe(ALLOWED_UPDATES.length);
});
