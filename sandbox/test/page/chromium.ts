/** The browser that tests of the page use; without one they are skipped, and say why. */
import { type Browser, chromium } from 'playwright-core';
import { test } from 'vitest';
import { findBrowser } from './browser.mjs';

const ARGUMENTS = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];

const path = findBrowser();

export const canBrowse = path !== undefined;

/** Starts it without a window. */
export function launchChromium(): Promise<Browser> {
  if (path === undefined) throw new Error('there is no Chromium');
  return chromium.launch({ executablePath: path, args: ARGUMENTS });
}

export const browserTest = test.extend('canBrowse', { auto: true }, ({ skip }) => {
  skip(!canBrowse, 'no Chromium is installed: sudo apt-get install chromium');
  return canBrowse;
});
