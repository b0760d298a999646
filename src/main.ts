/** For services set up before main.mjs, which start `node src/main.ts`; main.mjs itself starts sooner. */
import './main.mjs';
