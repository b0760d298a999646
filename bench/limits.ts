/**
 * Measures how many paid calls several processes on one PostgreSQL begin in a second; each is checked against the limits of a person, a group
 * and the day's budget. `node bench/limits.ts [seconds] [processes] [at once in each]`.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { startPostgresServer } from '../test/postgres-server.ts';
import { percentile } from './figures.ts';

const [seconds = '5', processes = '4', atOnce = '10'] = process.argv.slice(2);
const WORKER = fileURLToPath(new URL('inside/ledger-worker.ts', import.meta.url));
const told = z.tuple([z.object({ times: z.array(z.number()), longest: z.number() })]);

const server = await startPostgresServer();
const address = await server.createDatabase();
const workers = Array.from({ length: Number(processes) }, () => fork(WORKER, [address, seconds, atOnce]));
await Promise.all(workers.map((worker) => once(worker, 'message')));
const results = workers.map((worker) => once(worker, 'message'));
const ends = workers.map((worker) => once(worker, 'exit'));
for (const worker of workers) worker.send('begin');
const each = (await Promise.all(results)).map((result) => told.parse(result.slice(0, 1))[0]);
const times = each.flatMap((one) => one.times);
const longest = Math.max(...each.map((one) => one.longest)).toFixed(1);
await Promise.all(ends);
const [p50, p95] = [50, 95].map((share) => percentile(times, share).toFixed(1));
console.log(
  `${(times.length / Number(seconds)).toFixed(0)} calls begun a second by ${processes} processes, ${atOnce} at once in each; p50 ${p50} ms, p95 ${p95} ms, the longest of all ${longest} ms`,
);
await server.close();
