// Finds the browser that the tests of the chat page use: the Chromium that the machine has.
// Plain JavaScript without packages, since the setup asks, too.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

export function findBrowser() {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const paths = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  // Ubuntu has a chromium-browser that only says how to install one.
  return paths.find((path) => existsSync(path) && spawnSync(path, ['--version']).status === 0);
}
