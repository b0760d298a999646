// Loads every module with plain Node: the type checker and the test runner accept code that Node refuses. Then looks at all regular expressions.
import { glob } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { noteMade, slowness, writtenIn } from './regular-expressions.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
/** It puts expressions together, and runs in a process of its own. */
const LOADED_BY_PROCESSES = 'src/media/document/sound-text.mjs';

const made = noteMade(root);
let loaded = 0;
for await (const path of glob(
  ['src/**/*.ts', LOADED_BY_PROCESSES, 'handlers/*.ts', 'sandbox/{page,samples,service,telegram}/**/*.ts'],
  { cwd: root },
)) {
  if (path.endsWith('.d.ts')) continue;
  await import(pathToFileURL(`${root}${path}`).href);
  loaded += 1;
}
console.log(`${loaded} modules load with Node ${process.versions.node}`);

const all = [...made];
for await (const path of glob(['{src,handlers,scripts,sandbox}/**/*.{ts,mjs,js}'], { cwd: root }))
  if (!/(?:^|\/)node_modules\/|\.d\.ts$/.test(path)) all.push(...writtenIn(root, path));
const slow = all.flatMap((one) => {
  const reason = slowness(one);
  return reason === undefined ? [] : `${one.where}: ${reason}`;
});
console.log([`${all.length} regular expressions, of which ${slow.length} may take long`, ...slow].join('\n'));
process.exit(slow.length > 0 ? 1 : 0);
