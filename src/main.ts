/** The same process, started as `node src/main.ts`; `npm start` runs main.mjs itself, which is up sooner. */
import './main.mjs';
