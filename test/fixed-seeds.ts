/** Set up before every test file: properties draw the same values in every run, but new ones in `npm run fuzz`. */
import fc from 'fast-check';

const { FUZZ } = process.env;
if (FUZZ === undefined) fc.configureGlobal({ seed: 37 });
