/** Tests of the page: each gets both emulators, a bot that it plays itself, and the page open in a real Chromium. */
import { type Browser, type BrowserContextOptions, chromium } from 'playwright-core';
import { test as base, expect } from 'vitest';
import { type Cast, populate } from '../../page/cast.ts';
import { startPage } from '../../page/page-server.ts';
import { type LocalService, startLocalService } from '../../service/local-service.ts';
import { type LocalTelegram, startLocalTelegram } from '../../telegram/local-telegram.ts';
import { PageView } from './page-view.ts';
import { PlayedBot } from './played-bot.ts';

const TOKEN = '123456:played-by-the-test';

const DESKTOP: BrowserContextOptions = { viewport: { width: 1280, height: 800 } };
/** The narrowest phone that the page promises to fit. */
const PHONE: BrowserContextOptions = {
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

interface Sandbox {
  readonly telegram: LocalTelegram;
  readonly service: LocalService;
  readonly cast: Cast;
  readonly bot: PlayedBot;
  /** The page's address. */
  readonly url: string;
  /** Ends the page's server, as if the sandbox were stopped. */
  stopPage(): Promise<void>;
}

interface Fixtures {
  browser: Browser;
  sandbox: Sandbox;
  /** The page on a desktop. */
  view: PageView;
  /** The page on a phone. */
  phone: PageView;
}

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
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern what a fixture needs
  sandbox: async ({}, use) => {
    const telegram = await startLocalTelegram({ token: TOKEN });
    const service = await startLocalService();
    const cast = populate(telegram);
    const page = await startPage({ telegram, service, port: 0 });
    const bot = new PlayedBot(`${telegram.apiRoot}/bot${TOKEN}`);
    await use({ telegram, service, cast, bot, url: page.url, stopPage: () => page.close() });
    bot.stop();
    await page.close();
    await service.close();
    await telegram.close();
  },
  view: ({ browser, sandbox }, use) => withPage(browser, sandbox, DESKTOP, use),
  phone: ({ browser, sandbox }, use) => withPage(browser, sandbox, PHONE, use),
});

/** A page that complained of anything (an error, a request to elsewhere) fails its test. */
async function withPage(
  browser: Browser,
  { url }: Sandbox,
  options: BrowserContextOptions,
  use: (view: PageView) => Promise<void>,
): Promise<void> {
  const view = await PageView.open(browser, url, options);
  await use(view);
  await view.page.close();
  expect(view.complaints).toEqual([]);
}
