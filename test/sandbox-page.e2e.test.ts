/** The first try of a newcomer: the sandbox as it is started, its page in a real browser, the real bot, real recognition. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { canBrowse, browserTest as it, launchChromium } from '../sandbox/test/page/chromium.ts';
import { PageView } from '../sandbox/test/page/page-view.ts';
import { hasTibetan } from './phrases.ts';
import { isRunning } from './processes.ts';
import { type SandboxProcess, startSandboxProcess } from './sandbox-process.ts';

describe('the sandbox, in a browser', () => {
  let sandbox: SandboxProcess;
  let browser: Browser;
  let view: PageView;
  beforeAll(async () => {
    if (!canBrowse) return;
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
    await text.waitFor();
    expect(await text.locator('[lang="bo"]').first().textContent()).toSatisfy(hasTibetan);
  });

  it('speaks it in Amdo: a voice note that plays', async () => {
    await button('speak:amdo').click();
    await answers().getByTestId('audio').waitFor();
    await answers().getByTestId('play').last().click();
    // Of a note that has not loaded the duration is NaN, of a stream without an end it is Infinity.
    const heard = (what: string) => view.page.evaluate<number>(`document.querySelector('audio').${what}`);
    await expect.poll(() => heard('duration')).toBeGreaterThan(0);
    expect(Number.isFinite(await heard('duration'))).toBe(true);
    await expect.poll(() => heard('currentTime')).toBeGreaterThan(0.2);
  });

  it('translates Chinese into Tibetan', async () => {
    const before = await answers().count();
    await view.say('你好');
    const answer = answers().nth(before).getByTestId('message-text');
    await answer.waitFor();
    expect(await answer.locator('[lang="bo"]').first().textContent()).toSatisfy(hasTibetan);
  });

  it('shows its settings in one panel, and a press changes it in place', async () => {
    await view.say('/settings');
    const button = (end: string) =>
      view.page.locator(`[data-callback-data^="set:"][data-callback-data$=":${end}"]`);
    await button('dialect').waitFor();
    const before = await answers().count();
    const utsang = (await button('dialect').textContent()) ?? '';
    await button('dialect').click();
    await button('dialect:khampa').click();
    await button('dialect').filter({ hasNotText: utsang }).waitFor();
    expect(await answers().count()).toBe(before);
  });

  it('inline mode is offered where "@" and the name are typed', async () => {
    await view.page.getByTestId('chat-item').filter({ hasText: 'Momo evening' }).click();
    await view.input.fill('@lotsawa_bot 你好');
    await view.part('suggestion').first().click();
    const sent = view.messages('person').filter({ hasText: 'via @lotsawa_bot' });
    await sent.waitFor();
    expect(await sent.getByTestId('message-text').textContent()).toSatisfy(hasTibetan);
  });

  it('greets a group when a link adds it there', async () => {
    await view.page.getByTestId('chat-item').first().click();
    await view.part('chat-info').click();
    await view.part('link-example').filter({ hasText: 'group' }).click();
    await view.part('pick-chat').filter({ hasText: 'Momo evening' }).click();
    await view.part('chat-title').filter({ hasText: 'Momo evening' }).waitFor();
    const welcome = answers().getByTestId('message-text');
    await welcome.waitFor();
    expect(await welcome.textContent()).toContain('@lotsawa_bot');
  });

  it('answers in the topic of a forum where it was asked', async () => {
    await view.page.getByTestId('chat-item').filter({ hasText: 'Students of Tibetan' }).click();
    await view.part('topic').filter({ hasText: 'Translation' }).click();
    await view.say('/tibetan 你好');
    await answers().first().waitFor();
    await view.part('topic').filter({ hasText: 'General' }).click();
    await answers().first().waitFor({ state: 'detached' });
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
