/** The same process, started as `node src/main.ts`; `npm start` runs main.mjs itself, which starts sooner. */
import './main.mjs';
