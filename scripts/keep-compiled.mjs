// Compiles the bot ahead of its first start, for where it cannot keep compiled code itself: an image whose files are read-only.
import { readdirSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { flushCompileCache, getCompileCacheDir } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { loadStart } from '../src/app/compile-cache.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
/** Entry points act when they are loaded. */
const LEFT_OUT = /(^|\/)main\.ts$|\.d\.ts$/;
/** What the bot loads only when it needs it; all else that it loads is named in one of its modules. */
const LOADED_LATE = ['pino-pretty', 'undici'];

// First of all and never called, for V8's sake.
await loadStart();
for await (const path of glob(['src/**/*.ts', 'handlers/*.ts'], { cwd: root })) {
  if (!LEFT_OUT.test(path)) await import(pathToFileURL(`${root}${path}`).href);
}
for (const name of LOADED_LATE) await import(name);
const { loadSharp } = await import('../src/media/picture/daily-calls-chart.ts');
await loadSharp();
flushCompileCache();

const folder = getCompileCacheDir();
if (folder === undefined) throw new Error('node_modules/.cache/compiled cannot be written');
console.log(`${readdirSync(folder).length} modules are compiled for Node ${process.version}`);
// Some of what was loaded would go on waiting for work.
process.exit(0);
