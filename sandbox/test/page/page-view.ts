/** The sandbox's page in a browser, as a person finds their way in it. */
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';

/** As long as tests wait for all else on a busy machine (vitest.config.ts). */
const PATIENCE_MS = 120_000;

/** What a person sees of the page. */
export class PageView {
  readonly page: Page;
  /** Errors that reached the browser's console, and requests that left the page's own server. */
  readonly complaints: string[] = [];

  constructor(page: Page, url: string) {
    this.page = page;
    page.on('pageerror', (error) => this.complaints.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') this.complaints.push(message.text());
    });
    page.on('request', (request) => {
      if (!/^(blob|data):/.test(request.url()) && !request.url().startsWith(url))
        this.complaints.push(request.url());
    });
  }

  /** Opens the page and waits until it shows the world. */
  static async open(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<PageView> {
    const page = await browser.newPage(options);
    page.setDefaultTimeout(PATIENCE_MS);
    const view = new PageView(page, url);
    await page.goto(url);
    await view.part('chat-item').first().waitFor();
    return view;
  }

  /** The elements with this `data-testid`. */
  part(testId: string): Locator {
    return this.page.getByTestId(testId);
  }

  get input(): Locator {
    return this.part('composer-input');
  }

  messages(from: 'bot' | 'person'): Locator {
    return this.page.locator(`[data-testid="message"][data-from="${from}"]`);
  }

  /** A line about what happened in a group. */
  service(words: string): Locator {
    return this.page.locator('[data-from="service"]').filter({ hasText: words });
  }

  /** The row of somebody in the info of a group, or (`add-member`) among those who can be added. */
  member(userId: number, part = 'member'): Locator {
    return this.page.locator(`[data-testid="${part}"][data-member-id="${userId}"]`);
  }

  /** Opens what can be done with a message besides replying to it. */
  async openMenu(message: Locator): Promise<void> {
    await message.hover();
    await message.getByTestId('more').click();
  }

  /** Picks a chat, as to forward something there. */
  async pick(chatId: number): Promise<void> {
    await this.page.locator(`[data-testid="pick-chat"][data-chat-id="${chatId}"]`).click();
  }

  /** Writes a text and sends it with Enter. */
  async say(text: string): Promise<void> {
    await this.input.fill(text);
    await this.input.press('Enter');
  }

  async become(personId: number): Promise<void> {
    await this.page.locator(`[data-testid="person"][data-person-id="${personId}"]`).click();
  }

  async openChat(chatId: number): Promise<void> {
    await this.page.locator(`[data-testid="chat-item"][data-chat-id="${chatId}"]`).click();
  }
}
