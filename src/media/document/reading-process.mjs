/** The process that reads many pages: a line of JSON for each on standard input, and for each reading on standard output (`page-reader.ts`). */
import { readFileSync, writeFileSync } from 'node:fs';
import { readingsOfPages } from '../../language/reading/reading.ts';

const [STANDARD_INPUT, STANDARD_OUTPUT] = [0, 1];
const pages = readFileSync(STANDARD_INPUT, 'utf8').split('\n').slice(0, -1);
const readings = readingsOfPages(pages.map((page) => JSON.parse(page)));
writeFileSync(STANDARD_OUTPUT, readings.map((reading) => `${JSON.stringify(reading)}\n`).join(''));
