/** Files that hold what people wrote: for the bot's user alone. */
import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';

/** What is missing of the file and its folders comes into being closed to others on the machine; SQLite gives the WAL the file's mode. */
export function createForOwnerAlone(path: string): void {
  createFolder(dirname(path));
  closeSync(openSync(path, 'a', 0o600));
}

/** Not mkdir's `recursive`: it never ends where no folder can be made though all above it are there, as in /proc. */
function createFolder(path: string): void {
  if (existsSync(path)) return;
  createFolder(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}
