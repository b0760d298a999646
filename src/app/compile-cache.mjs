/**
 * Loads the bot with what Node has kept of its compiled code: for its start, and for what compiles it ahead of one. Plain
 * JavaScript, since it is read before kept code can be.
 */
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';

/**
 * Gives the bot's start, for which the rest of the bot is loaded only as it runs. Compiled code is kept in one folder for each
 * version of Node, kind of processor and user; where that can be neither read nor made, all is compiled anew each time. What was
 * compiled while V8 had other settings than it has when the code is loaded again is not taken: code that compiles ahead begins here.
 */
export async function loadStart() {
  // V8's young generation begins with 1 MB in each half and doubles whenever much is found alive in it: under load it held
  // 112 MB. Grown at once to 8 MB in each half and kept there, it holds 16, and the code is loaded in fewer collections.
  setFlagsFromString('--semi-space-growth-factor=8');
  enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url)));
  const { start } = await import('./start.ts');
  setFlagsFromString('--semi-space-growth-factor=1');
  return start;
}
