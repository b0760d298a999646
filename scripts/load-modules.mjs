// Loads every module of the bot with plain Node: the type checker and the test runner accept code that Node refuses.
import { glob } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
/** Entry points act when they are loaded, and the page's modules are the browser's. */
const LEFT_OUT = /(^|\/)main\.ts$/;

let loaded = 0;
for await (const path of glob(
  ['src/**/*.ts', 'handlers/*.ts', 'sandbox/{page,samples,service,telegram}/**/*.ts'],
  { cwd: root },
)) {
  if (LEFT_OUT.test(path) || path.endsWith('.d.ts')) continue;
  await import(pathToFileURL(`${root}${path}`).href);
  loaded += 1;
}
console.log(`${loaded} modules load with Node ${process.versions.node}`);
process.exit(0);
