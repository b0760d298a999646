/**
 * SQLite's files. They hold what people wrote, so only the bot's user may read them; SQLite gives the files that it creates beside a
 * database the same mode.
 */
import {
  chmodSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  realpathSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** The path without symbolic links, under which SQLite keeps its log: the same for every name of a database, which need not exist yet. */
export function withoutLinks(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  const folder = dirname(path);
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink())
    return withoutLinks(resolve(folder, readlinkSync(path)));
  return existsSync(folder) ? join(realpathSync(folder), basename(path)) : path;
}

const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

/** Creates the file and its folders if missing, readable by this user alone. */
export function createPrivateFile(path: string): void {
  createPrivateFolder(dirname(path));
  closeSync(openSync(path, 'a', FILE_MODE));
}

/** Creates a new file in an existing folder. Throws EEXIST if it exists. */
export function createNewPrivateFile(path: string): void {
  closeSync(openSync(path, 'wx', FILE_MODE));
}

/** Creates folders by itself: mkdir's `recursive` never ends where folders cannot be created although their parents exist, as in /proc. */
export function createPrivateFolder(path: string): void {
  if (existsSync(path)) return;
  createPrivateFolder(dirname(path));
  mkdirSync(path, { mode: FOLDER_MODE });
}

/** Makes a file readable by this user alone. */
export function makePrivate(path: string): void {
  chmodSync(path, FILE_MODE);
}
