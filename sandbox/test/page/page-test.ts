/** Tests of the page: each gets both emulators, a bot that it plays itself, and the page open in a real Chromium. */
import { type Browser, type BrowserContextOptions, chromium } from 'playwright-core';
import { test as base, expect } from 'vitest';
import { type Cast, populate } from '../../page/cast.ts';
import { startPage } from '../../page/page-server.ts';
import { type LocalService, startLocalService } from '../../service/local-service.ts';
import { type LocalTelegram, startLocalTelegram } from '../../telegram/local-telegram.ts';
import { TestBot } from '../test-bot.ts';
import { PageView } from './page-view.ts';

const TOKEN = '123456:played-by-the-test';

const DESKTOP: BrowserContextOptions = { viewport: { width: 1280, height: 800 } };
/** The narrowest phone that the page promises to fit. */
export const PHONE: BrowserContextOptions = {
  viewport: { width: 360, height: 700 },
  hasTouch: true,
  isMobile: true,
};

const CHROMIUM = {
  executablePath: '/usr/bin/chromium',
  args: [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
};

interface Servers {
  readonly telegram: LocalTelegram;
  readonly service: LocalService;
  /** The page's address. */
  readonly url: string;
}

interface Sandbox extends Servers {
  readonly cast: Cast;
  readonly bot: TestBot;
}

interface Fixtures {
  browser: Browser;
  servers: Servers;
  desktopPage: PageView;
  phonePage: PageView;
  sandbox: Sandbox;
  /** The page on a desktop. */
  view: PageView;
  /** The page on a phone. */
  phone: PageView;
}

/** The tests of a file share the servers and the pages, which are slow to start; each has people and groups of its own. */
export const test = base.extend<Fixtures>({
  browser: [
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern what a fixture needs
    async ({}, use) => {
      const browser = await chromium.launch(CHROMIUM);
      await use(browser);
      await browser.close();
    },
    { scope: 'worker' },
  ],
  servers: [
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern what a fixture needs
    async ({}, use) => {
      const telegram = await startLocalTelegram({ token: TOKEN });
      const service = await startLocalService();
      populate(telegram);
      const page = await startPage({ telegram, service, port: 0 });
      await use({ telegram, service, url: page.url });
      await page.close();
      await service.close();
      await telegram.close();
    },
    { scope: 'file' },
  ],
  desktopPage: [({ browser, servers }, use) => withPage(browser, servers, DESKTOP, use), { scope: 'file' }],
  phonePage: [({ browser, servers }, use) => withPage(browser, servers, PHONE, use), { scope: 'file' }],
  sandbox: async ({ servers }, use) => {
    const { telegram, service } = servers;
    const bot = new TestBot(`${telegram.apiRoot}/bot${TOKEN}`);
    await bot.call('deleteWebhook', { drop_pending_updates: true });
    await use({ ...servers, cast: populate(telegram), bot });
    bot.stop();
    telegram.faults.clear();
    service.faults.clear();
  },
  view: ({ desktopPage, sandbox }, use) => begin(desktopPage, sandbox, use),
  phone: ({ phonePage, sandbox }, use) => begin(phonePage, sandbox, use),
});

async function withPage(
  browser: Browser,
  { url }: Servers,
  options: BrowserContextOptions,
  use: (view: PageView) => Promise<void>,
): Promise<void> {
  const view = await PageView.open(browser, url, options);
  await use(view);
  await view.page.close();
}

/** Loads the page as if it were new, for the first person. A page that complained of anything (an error, a request to elsewhere) fails its test. */
async function begin(
  view: PageView,
  { cast }: Sandbox,
  use: (view: PageView) => Promise<void>,
): Promise<void> {
  const place = JSON.stringify({ personId: cast.tenzin.id });
  await view.page.evaluate(`sessionStorage.setItem('place', '${place}'); history.replaceState(null, '')`);
  view.complaints.length = 0;
  await view.page.reload();
  await view.part('chat-item').first().waitFor();
  await use(view);
  expect(view.complaints).toEqual([]);
}
