// Loads every module with plain Node: the type checker and the test runner accept code that Node refuses.
import { glob } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

let loaded = 0;
for await (const path of glob(
  ['src/**/*.ts', 'handlers/*.ts', 'sandbox/{page,samples,service,telegram}/**/*.ts'],
  { cwd: root },
)) {
  if (path.endsWith('.d.ts')) continue;
  await import(pathToFileURL(`${root}${path}`).href);
  loaded += 1;
}
console.log(`${loaded} modules load with Node ${process.versions.node}`);
process.exit(0);
