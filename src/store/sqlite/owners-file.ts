/** Files that hold what people wrote: for the bot's user alone. SQLite gives what it puts beside a database the mode of that. */
import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';

const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

/** What is missing of the file and its folders comes into being closed to others on the machine. */
export function createForOwnerAlone(path: string): void {
  createFolderForOwnerAlone(dirname(path));
  closeSync(openSync(path, 'a', FILE_MODE));
}

/** A new file in a folder that is there. Throws EEXIST where there is one already. */
export function createNewForOwnerAlone(path: string): void {
  closeSync(openSync(path, 'wx', FILE_MODE));
}

/** Not mkdir's `recursive`: it never ends where no folder can be made though all above it are there, as in /proc. */
export function createFolderForOwnerAlone(path: string): void {
  if (existsSync(path)) return;
  createFolderForOwnerAlone(dirname(path));
  mkdirSync(path, { mode: FOLDER_MODE });
}

/** A file that came with another mode. */
export function closeToOthers(path: string): void {
  chmodSync(path, FILE_MODE);
}
