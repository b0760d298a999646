// Compiles the bot into `NODE_COMPILE_CACHE` before its first start, for images whose file system is read-only.
import { readdirSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { flushCompileCache, getCompileCacheDir } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const LEFT_OUT = /\.d\.ts$/;
/** Packages that the bot loads on demand; its modules import all others. */
const LOADED_LATE = ['pino-pretty', 'sharp', 'undici'];

for await (const path of glob(['src/**/*.ts', 'handlers/*.ts'], { cwd: root })) {
  if (!LEFT_OUT.test(path)) await import(pathToFileURL(`${root}${path}`).href);
}
for (const name of LOADED_LATE) await import(name);
flushCompileCache();

const folder = getCompileCacheDir();
if (folder === undefined) throw new Error('NODE_COMPILE_CACHE is not set, or cannot be written');
console.log(`${readdirSync(folder).length} modules are compiled for Node ${process.version}`);
// Some loaded modules would keep the process alive.
process.exit(0);
