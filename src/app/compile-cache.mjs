/**
 * Loads the bot with Node's cache of compiled code, for its start, and for scripts that fill the cache ahead of one. Plain JavaScript,
 * since it is read before the cache is on.
 */
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';

/**
 * Gives the bot's start, which loads the rest of the bot as it runs. Compiled code is kept in one folder for each version of Node, kind of
 * processor and user; if that cannot be read or written, everything is compiled anew. V8 takes cached code only if its settings are the
 * same as when it was compiled, so code that fills the cache starts here, too.
 */
export async function loadStart() {
  // V8's young generation begins with 1 MB in each half and doubles whenever much is found alive in it: under load it held 112 MB. Grown at
  // once to 8 MB in each half and kept there, it holds 16, and the code is loaded in fewer collections.
  setFlagsFromString('--semi-space-growth-factor=8');
  enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url)));
  const { start } = await import('./start.ts');
  setFlagsFromString('--semi-space-growth-factor=1');
  // V8 collects its old generation when that has grown to up to four times of what was alive, and gives little of it back. At twice, a busy
  // bot takes 50 MB less and a saturated one 150, for the same processor time.
  setFlagsFromString('--heap-growing-percent=100');
  return start;
}
