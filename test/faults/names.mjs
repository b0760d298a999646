/** Loaded into the bot before anything else: names that end in `.test` are this machine, except for those in a file, which fail. */
import dns from 'node:dns';
import { readFileSync } from 'node:fs';

const lookup = dns.lookup;

dns.lookup = (name, options, callback) => {
  if (!name.endsWith('.test')) return lookup(name, options, callback);
  const done = callback ?? options;
  const lost = readFileSync(process.env.LOST_NAMES ?? '', 'utf8').split('\n');
  const found = lost.map((line) => line.split(' ')).find(([lostName]) => lostName === name);
  if (found === undefined) return lookup('127.0.0.1', options, callback);
  const code = found[1] ?? 'ENOTFOUND';
  const error = Object.assign(new Error(`getaddrinfo ${code} ${name}`), { code, syscall: 'getaddrinfo' });
  setImmediate(() => done(error));
};
