/** The sandbox's own controls: what was paid, and what shall fail. */
import { expect } from 'vitest';
import type { LocalService } from '../../service/local-service.ts';
import { test } from './page-test.ts';

/** One paid call, as the bot would make it. */
function translate({ url, credentials }: LocalService): Promise<Response> {
  return fetch(`${url}/api/cognitive/translation`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'X-Secret': credentials.xSecret },
    body: JSON.stringify({ sourceLang: 1, destLang: 0, inputText: '你好' }),
  });
}

test('the counter moves with each paid call, and with its price', async ({ sandbox, view }) => {
  const counter = view.part('counter');
  expect(await counter.getAttribute('data-calls')).toBe('0');
  await translate(sandbox.service);
  await translate(sandbox.service);
  await view.page.locator('[data-testid="counter"][data-calls="2"]').waitFor();
  expect(await counter.textContent()).toContain('¥0.80');
  expect(await view.part('counter-translation').getAttribute('data-calls')).toBe('2');
  expect(await view.part('counter-speech').getAttribute('data-calls')).toBe('0');
});

test('a failure that is switched on reaches the service, until it is switched off', async ({
  sandbox,
  view,
}) => {
  const choice = view.part('fault-translation');
  await choice.selectOption('quota');
  await view.page.locator('#panel-toggle[data-failing="true"]').waitFor();
  expect(await (await translate(sandbox.service)).text()).toContain('2001001');
  await choice.selectOption('');
  await view.page.locator('#panel-toggle[data-failing="false"]').waitFor();
  expect(await (await translate(sandbox.service)).text()).toContain('2000000');
});

test('only failures that can befall a kind of call are offered for it', async ({ view }) => {
  const values = (testId: string) =>
    view
      .part(testId)
      .locator('option')
      .evaluateAll((options) => options.map((option) => option.getAttribute('value')));
  expect(await values('fault-speech')).toContain('odd-bytes');
  expect(await values('fault-translation')).not.toContain('odd-bytes');
  expect(await values('fault-recognition')).toContain('token-expired');
});

test('a failure that a test sets shows in the page too', async ({ sandbox, view }) => {
  sandbox.service.faults.set('speech', 'hang');
  await expect.poll(() => view.part('fault-speech').inputValue()).toBe('hang');
});

test('the switches for Telegram reach it', async ({ sandbox, view }) => {
  const { telegram } = sandbox;
  await view.part('telegram-slow').check();
  await expect.poll(() => telegram.faults.latency).toBeGreaterThan(0);
  await view.part('telegram-flood').check();
  await expect.poll(() => telegram.faults.flood).toBe(true);
  await view.part('telegram-slow').uncheck();
  await expect.poll(() => telegram.faults.latency).toBe(0);
});

test('the panel can be put away and called back, and says what is real', async ({ view }) => {
  await view.part('panel-close').click();
  await view.part('counter').waitFor({ state: 'hidden' });
  await view.part('panel-toggle').click();
  await view.part('panel').getByText('tesseract').waitFor();
  await view.part('panel').getByText('phrasebook').waitFor();
});
