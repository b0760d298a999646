/** The browser that tests of the page use: the Chromium that the machine has. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

const ARGUMENTS = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];

function installed(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) =>
    existsSync(path),
  );
}

/** False on a developer's machine without a browser, where the set-up has said so; in CI there has to be one. */
export const canBrowse = installed() !== undefined || process.env.CI !== undefined;

/** Starts it without a window; throws where none is installed. */
export function launchChromium(): Promise<Browser> {
  const path = installed();
  if (path === undefined) throw new Error(`none of ${NAMES.join(', ')} is installed`);
  return chromium.launch({ executablePath: path, args: ARGUMENTS });
}
