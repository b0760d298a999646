/** The sandbox's own controls: what was paid, and what shall fail. */
import { expect } from 'vitest';
import type { LocalService } from '../../service/local-service.ts';
import { test } from './page-test.ts';

/** One paid call, as the bot would make it. */
async function translate({ url, credentials }: LocalService): Promise<string> {
  const answer = await fetch(`${url}/api/cognitive/translation`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'X-Secret': credentials.xSecret },
    body: JSON.stringify({ sourceLang: 1, destLang: 0, inputText: '你好' }),
  });
  return answer.text();
}

test('the panel counts paid calls, folds away, and says what is real', async ({
  sandbox: { service },
  view,
}) => {
  const counter = view.part('counter');
  expect(await counter.getAttribute('data-calls')).toBe('0');
  await translate(service);
  await translate(service);
  await view.page.locator('[data-testid="counter"][data-calls="2"]').waitFor();
  expect(await counter.textContent()).toContain('¥0.80');
  expect(await view.part('counter-translation').getAttribute('data-calls')).toBe('2');
  expect(await view.part('counter-speech').getAttribute('data-calls')).toBe('0');
  await view.part('panel-close').click();
  await counter.waitFor({ state: 'hidden' });
  await view.part('panel-toggle').click();
  for (const engine of ['tesseract', 'phrasebook'])
    await view.part('panel').getByText(engine).first().waitFor();
});

test('the switches hold until they are switched off, and follow a test’s', async ({
  sandbox: { service, telegram },
  view,
}) => {
  const choice = view.part('fault-translation');
  const isFailing = (failing: boolean) =>
    view.page.locator(`#panel-toggle[data-failing="${failing}"]`).waitFor();
  await choice.selectOption('quota');
  await isFailing(true);
  expect(await translate(service)).toContain('2001001');
  await choice.selectOption('');
  await isFailing(false);
  expect(await translate(service)).toContain('2000000');

  service.faults.set('speech', 'hang');
  await expect.poll(() => view.part('fault-speech').inputValue()).toBe('hang');
  await view.part('telegram-slow').check();
  await expect.poll(() => telegram.faults.latency).toBeGreaterThan(0);
  await view.part('telegram-flood').check();
  await expect.poll(() => telegram.faults.flood).toBe(true);
  await view.part('telegram-slow').uncheck();
  await expect.poll(() => telegram.faults.latency).toBe(0);
});

test('only failures that can befall a kind of call are offered for it', async ({ view }) => {
  const offered = (kind: string, fault: string) =>
    view.part(`fault-${kind}`).locator(`option[value="${fault}"]`).count();
  expect(await offered('speech', 'odd-bytes')).toBe(1);
  expect(await offered('translation', 'odd-bytes')).toBe(0);
  expect(await offered('recognition', 'token-expired')).toBe(1);
});
