/** Watching the bot run: /healthz, /readyz and /metrics tell what people meet, and the dashboard shows it. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { z } from 'zod';
import manifest from '../package.json' with { type: 'json' };
import { TOKEN } from './bot-process.ts';
import { freePort } from './free-port.ts';
import { hasTibetan, newChinese, newTibetan } from './phrases.ts';
import { aJpeg } from './pictures.ts';
import { useScene } from './shared-scene.ts';

const report = z.object({
  ready: z.boolean(),
  intake: z.string(),
  database: z.string(),
  telegram: z.string(),
  service: z.object({ state: z.string() }),
});

const dashboard = z
  .object({
    panels: z.array(z.object({ targets: z.array(z.object({ expr: z.string() })).nonempty() })),
    templating: z.object({ list: z.array(z.object({ query: z.string() })) }),
  })
  .parse(JSON.parse(readFileSync(new URL('../docs/grafana-dashboard.json', import.meta.url), 'utf8')));

let url: string;
const scene = useScene({
  between: async () => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    return { PORT: String(port) };
  },
});

const status = async (path: string) => (await fetch(url + path)).status;
const metrics = async () => (await fetch(`${url}/metrics`)).text();
const metricsLines = async () => (await metrics()).split('\n');

async function readiness() {
  const answer = await fetch(`${url}/readyz`);
  return { status: answer.status, ...report.parse(await answer.json()) };
}

/** Waits until /readyz says this; it asks Telegram and the database only every few seconds. */
async function becomes(expected: Partial<Awaited<ReturnType<typeof readiness>>>): Promise<void> {
  await expect.poll(readiness).toMatchObject(expected);
}

const READY = {
  status: 200,
  ready: true,
  intake: 'running',
  database: 'ok',
  telegram: 'ok',
  service: { state: 'up' },
};

it('polls that failed are counted by kind, and a single conflict leaves the bot ready', async () => {
  await becomes(READY);
  const conflict = 'Conflict: terminated by other getUpdates request';
  scene.telegram.faults.next('getUpdates', { status: 409, description: conflict, times: 2 });
  scene.telegram.faults.next('getUpdates', { status: 502 });
  scene.telegram.faults.next('getUpdates', { status: 401, description: 'Unauthorized' });
  // Ends the poll that waits.
  scene.anna.send(scene.anna.chat, { text: '/help' });
  await expect
    .poll(metricsLines)
    .toEqual(
      expect.arrayContaining([
        'lotsawa_poll_failures_total{kind="conflict"} 2',
        'lotsawa_poll_failures_total{kind="unavailable"} 1',
        'lotsawa_poll_failures_total{kind="refused"} 1',
      ]),
    );
  await becomes(READY);
});

it('the bot lives through Telegram’s absence, and is not ready', async () => {
  await becomes(READY);
  expect(await status('/healthz')).toBe(200);
  scene.telegram.faults.next('*', { mode: 'reset', times: 1_000_000 });
  await becomes({ status: 503, ready: false, telegram: 'failing', database: 'ok' });
  expect(await status('/healthz')).toBe(200);
  scene.telegram.faults.clear();
  await becomes(READY);
});

it('a stopping bot is not ready, and lives until its work ends', async () => {
  await becomes(READY);
  const endCall = scene.service.faults.hold('translation');
  const person = scene.newcomer();
  person.send(person.chat, { text: newChinese() });
  await scene.underWay();
  const stopped = scene.bot().stop();
  await becomes({ status: 503, ready: false, intake: 'stopping' });
  endCall();
  expect(await stopped).toBe(0);
});

it('a service that is down leaves the bot ready', async () => {
  await scene.restart();
  scene.service.faults.set('translation', 'refuse');
  for (let asked = 0; asked < 5; asked += 1) await scene.ask(scene.newcomer(), newChinese());
  await becomes({ ...READY, service: { state: 'down' } });
  await scene.bot().says('the service is down (translation: ');
  scene.service.faults.clear();
});

it('what happened is counted, and nothing private with it', async () => {
  await scene.restart();
  const { anna, ask, answerTo, newcomer, service, telegram } = scene;
  const text = newChinese();
  const translation = await ask(anna, text);
  expect(translation.text).toSatisfy(hasTibetan);
  await ask(newcomer(), text);
  await ask(anna, `/speak amdo ${newTibetan()}`, ({ voice }) => voice !== undefined);
  await answerTo(await anna.sendPhoto(anna.chat, await aJpeg()));
  telegram.faults.next('sendMessage', { status: 500 });
  await ask(anna, '/help');
  const nobodyWaits = () => {};
  anna.inlineQuery(newTibetan()).catch(nobodyWaits);
  await anna.inlineQuery(text);
  telegram.faults.next('answerInlineQuery', { status: 400, description: 'Bad Request: query is too old' });
  anna.inlineQuery(text).catch(nobodyWaits);
  service.faults.next('translation', 'quota');
  await ask(newcomer(), newChinese());

  const expected = [
    'lotsawa_updates_total{kind="message",outcome="ok"} 6',
    'lotsawa_update_handling_seconds_count{kind="message"} 6',
    'lotsawa_updates_total{kind="inline_query",outcome="ok"} 1',
    'lotsawa_updates_total{kind="inline_query",outcome="superseded"} 1',
    'lotsawa_updates_total{kind="inline_query",outcome="failed"} 1',
    'lotsawa_update_handling_seconds_count{kind="inline_query"} 2',
    'lotsawa_service_calls_total{kind="translation",outcome="ok"} 1',
    'lotsawa_service_calls_total{kind="translation",outcome="quota"} 1',
    'lotsawa_service_calls_total{kind="speech",outcome="ok"} 1',
    'lotsawa_service_calls_total{kind="recognition",outcome="ok"} 1',
    'lotsawa_service_calls_total{kind="token",outcome="ok"} 1',
    'lotsawa_speech_streams_total{outcome="whole"} 1',
    'lotsawa_cache_hits_total{kind="translation"} 3',
    `lotsawa_spent_today_yuan ${(service.paid().calls * 0.4).toFixed(1)}`,
    'lotsawa_telegram_retries_total{method="sendMessage"} 1',
    'lotsawa_updates_set_aside_total 0',
    'lotsawa_queue_depth 0',
    'lotsawa_ready 1',
    `lotsawa_build_info{version="${manifest.version}",node="${process.versions.node}"} 1`,
  ];
  // An answer is there a moment before its update counts as handled.
  await expect.poll(metricsLines).toEqual(expect.arrayContaining(expected));

  const all = await metrics();
  const { apiKey, secretKey, xSecret } = service.credentials;
  const priv = [TOKEN.split(':')[1] ?? TOKEN, apiKey, secretKey, xSecret, 'Anna'];
  for (const word of priv) expect(all).not.toContain(word);
  // Seconds and bytes may hold the same digits.
  expect(all).not.toMatch(new RegExp(`(?<![\\d.])${anna.id}(?!\\d)`));
  expect(all).not.toMatch(/[\p{Script=Tibetan}\p{Script=Han}]/u);
});

it('the dashboard asks for metrics that there are, and leaves out none of ours', async () => {
  const families = Array.from((await metrics()).matchAll(/^# TYPE (\w+)/gm), ([, name = '']) => name);
  const queries = [
    ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ...dashboard.templating.list.map(({ query }) => query),
  ].join('\n');
  const asked = queries
    .match(/\b(?:lotsawa|process|nodejs)_\w+/g)
    ?.map((name) => name.replace(/_bucket$/, ''));
  expect(asked?.filter((name) => !families.includes(name))).toEqual([]);
  expect(families.filter((name) => name.startsWith('lotsawa_') && !asked?.includes(name))).toEqual([]);
});
