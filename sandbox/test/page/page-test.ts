/** Tests of the page: each gets both emulators, a bot that it plays itself, and the page open in a real Chromium. */
import type { BrowserContextOptions } from 'playwright-core';
import { expect } from 'vitest';
import { type Cast, populate } from '../../page/cast.ts';
import { startPage } from '../../page/page-server.ts';
import { startLocalService } from '../../service/local-service.ts';
import { startLocalTelegram } from '../../telegram/local-telegram.ts';
import { TestBot } from '../test-bot.ts';
import { browserTest, launchChromium } from './chromium.ts';
import { PageView } from './page-view.ts';

const TOKEN = '123456:played-by-the-test';

const DESKTOP: BrowserContextOptions = { viewport: { width: 1280, height: 800 } };
/** The narrowest phone that the page promises to fit. */
export const PHONE: BrowserContextOptions = {
  viewport: { width: 360, height: 700 },
  hasTouch: true,
  isMobile: true,
};

async function startServers() {
  const telegram = await startLocalTelegram({ token: TOKEN });
  const service = await startLocalService();
  populate(telegram);
  const page = await startPage({ telegram, service, port: 0 });
  const close = async () => {
    await page.close();
    await service.close();
    await telegram.close();
  };
  return { telegram, service, url: page.url, close };
}

/** The tests of a file share the servers and the pages, which are slow to start; each has people and groups of its own. */
export const test = browserTest
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern what a fixture needs
  .extend('browser', { scope: 'worker' }, async ({}, { onCleanup }) => {
    const browser = await launchChromium();
    onCleanup(() => browser.close());
    return browser;
  })
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern what a fixture needs
  .extend('servers', { scope: 'file' }, async ({}, { onCleanup }) => {
    const { close, ...servers } = await startServers();
    onCleanup(close);
    return servers;
  })
  .extend('desktopPage', { scope: 'file' }, async ({ browser, servers }, { onCleanup }) => {
    const view = await PageView.open(browser, servers.url, DESKTOP);
    onCleanup(() => view.page.close());
    return view;
  })
  .extend('phonePage', { scope: 'file' }, async ({ browser, servers }, { onCleanup }) => {
    const view = await PageView.open(browser, servers.url, PHONE);
    onCleanup(() => view.page.close());
    return view;
  })
  .extend('sandbox', async ({ servers }, { onCleanup }) => {
    const { telegram, service } = servers;
    const bot = new TestBot(`${telegram.apiRoot}/bot${TOKEN}`);
    await bot.call('deleteWebhook', { drop_pending_updates: true });
    onCleanup(() => {
      bot.stop();
      telegram.faults.clear();
      service.faults.clear();
    });
    return { ...servers, cast: populate(telegram), bot };
  })
  // The page on a desktop, and on a phone.
  .extend('view', ({ desktopPage, sandbox }, { onCleanup }) => begin(desktopPage, sandbox.cast, onCleanup))
  .extend('phone', ({ phonePage, sandbox }, { onCleanup }) => begin(phonePage, sandbox.cast, onCleanup));

/** Loads the page as if it were new, for the first person. A page that complained of anything (an error, a request to elsewhere) fails its test. */
async function begin(
  view: PageView,
  { tenzin }: Cast,
  onCleanup: (check: () => void) => void,
): Promise<PageView> {
  const place = JSON.stringify({ personId: tenzin.id });
  await view.page.evaluate(`sessionStorage.setItem('place', '${place}'); history.replaceState(null, '')`);
  view.complaints.length = 0;
  await view.page.reload();
  await view.part('chat-item').first().waitFor();
  onCleanup(() => expect(view.complaints).toEqual([]));
  return view;
}
