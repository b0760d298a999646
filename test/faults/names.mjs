/** Loaded into the bot before anything else: names that end in `.test` are this machine, except for the one in a file, which is unknown. */
import dns from 'node:dns';
import { readFileSync } from 'node:fs';

const lookup = dns.lookup;

dns.lookup = (name, options, callback) => {
  if (!name.endsWith('.test')) return lookup(name, options, callback);
  if (readFileSync(process.env.LOST_NAMES ?? '', 'utf8') !== name)
    return lookup('127.0.0.1', options, callback);
  const code = 'ENOTFOUND';
  const error = Object.assign(new Error(`getaddrinfo ${code} ${name}`), { code, syscall: 'getaddrinfo' });
  setImmediate(() => callback(error));
};
