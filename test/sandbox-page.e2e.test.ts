/** The first try of a newcomer: the sandbox as it is started, its page in a real browser, the real bot, real recognition. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canBrowse, launchChromium } from './chromium.ts';
import { hasTibetan } from './phrases.ts';
import { PageView } from './sandbox/page/page-view.ts';
import { isRunning, type SandboxProcess, startSandboxProcess } from './sandbox-process.ts';

describe.runIf(canBrowse)('the sandbox, in a browser', () => {
  let sandbox: SandboxProcess;
  let browser: Browser;
  let view: PageView;
  beforeAll(async () => {
    [sandbox, browser] = await Promise.all([startSandboxProcess(), launchChromium()]);
    view = await PageView.open(browser, sandbox.url, { viewport: { width: 1280, height: 800 } });
  });
  afterAll(async () => {
    await browser?.close();
    await sandbox?.interrupt();
  });

  const answers = () => view.messages('bot');
  const button = (data: string) => answers().locator(`[data-callback-data="${data}"]`).last();

  it('reads the sample photo of Tibetan, picked with one click', async () => {
    await view.page.locator('[data-testid="sample"][data-sample="tibetan"]').click();
    await view.messages('person').getByTestId('photo').waitFor();
    const text = answers()
      .getByTestId('message-text')
      .filter({ hasText: /[\u0f40-\u0f6c]་/ })
      .last();
    await text.waitFor({ timeout: 60_000 });
    expect(await text.locator('[lang="bo"]').first().textContent()).toSatisfy(hasTibetan);
  });

  it('speaks it in Amdo: a voice note that plays', async () => {
    await button('speak:amdo').click();
    await answers().getByTestId('audio').waitFor({ timeout: 60_000 });
    // Of a note that has not loaded the duration is NaN, of a stream without an end it is Infinity.
    const heard = (what: string) => view.page.evaluate<number>(`document.querySelector('audio').${what}`);
    await expect.poll(() => heard('duration'), { timeout: 20_000 }).toBeGreaterThan(0);
    expect(Number.isFinite(await heard('duration'))).toBe(true);
    await view.page.evaluate("document.querySelector('audio').play()");
    await expect.poll(() => heard('currentTime'), { timeout: 20_000 }).toBeGreaterThan(0.2);
  });

  it('translates Chinese into Tibetan', async () => {
    const before = await answers().count();
    await view.say('你好');
    const answer = answers().nth(before).getByTestId('message-text');
    await answer.waitFor();
    expect(await answer.locator('[lang="bo"]').first().textContent()).toSatisfy(hasTibetan);
  });

  it('did all that without an error in the browser or a request to elsewhere', () => {
    expect(view.complaints).toEqual([]);
  });

  it('stops whole with Ctrl-C, the bot too', async () => {
    const children = sandbox.children();
    expect(children.length).toBeGreaterThan(0);
    expect(await sandbox.interrupt()).toBe(0);
    expect(children.filter(isRunning)).toEqual([]);
    await expect(fetch(sandbox.url)).rejects.toThrow();
  });
});
