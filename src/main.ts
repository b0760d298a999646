/** The same process for whoever starts it as `node src/main.ts`; `npm start` runs main.mjs itself, which is up sooner. */
import './main.mjs';
