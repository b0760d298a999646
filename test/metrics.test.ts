/** The metrics: what is counted, under which names, and a dashboard that asks for nothing else. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { type Gauges, Metrics } from '../src/app/metrics.ts';

const dashboard = z
  .object({
    panels: z.array(
      z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })).nonempty() }),
    ),
    templating: z.object({ list: z.array(z.object({ query: z.string() })) }),
  })
  .parse(JSON.parse(readFileSync(new URL('../docs/grafana-dashboard.json', import.meta.url), 'utf8')));

function metrics(gauges: Partial<Gauges> = {}) {
  return new Metrics({
    version: '1.2.3',
    queueDepth: async () => 3,
    spentTodayYuan: async () => 1.2,
    ...gauges,
  });
}

/** Everything counted once, so that every series is there. */
async function everything(): Promise<string> {
  const all = metrics();
  all.handled('message', 'ok', 2, 40);
  all.handled('callback_query', 'failed', 1, 40);
  all.handled('inline_query', 'superseded', 1, 40);
  all.deadLetters.inc(1);
  all.serviceCall('translation', 'ok', 300);
  all.serviceCall('token', 'unavailable', 20);
  all.speechStreams.inc({ outcome: 'broken-off' });
  all.cacheHits.inc({ kind: 'recognition' });
  all.telegramRetries.inc({ method: 'sendMessage' });
  all.pollFailures.inc({ kind: 'conflict' });
  // As `app/run.ts` does, which knows the readiness.
  all.gauge('ready', '1 while updates are taken', async () => 1);
  return all.render();
}

it('each thing is counted under its name, kind and outcome', async () => {
  const lines = (await everything()).split('\n').filter((line) => line.startsWith('lotsawa_'));
  expect(lines).not.toContain('lotsawa_update_handling_seconds_count{kind="inline_query"} 1');
  for (const line of [
    'lotsawa_updates_total{kind="message",outcome="ok"} 2',
    'lotsawa_updates_total{kind="callback_query",outcome="failed"} 1',
    'lotsawa_updates_total{kind="inline_query",outcome="superseded"} 1',
    'lotsawa_update_handling_seconds_count{kind="message"} 1',
    'lotsawa_update_handling_seconds_sum{kind="message"} 0.04',
    'lotsawa_updates_set_aside_total 1',
    'lotsawa_service_calls_total{kind="translation",outcome="ok"} 1',
    'lotsawa_service_calls_total{kind="token",outcome="unavailable"} 1',
    'lotsawa_service_call_seconds_bucket{le="0.25",kind="translation"} 0',
    'lotsawa_service_call_seconds_bucket{le="0.5",kind="translation"} 1',
    'lotsawa_speech_streams_total{outcome="broken-off"} 1',
    'lotsawa_cache_hits_total{kind="recognition"} 1',
    'lotsawa_telegram_retries_total{method="sendMessage"} 1',
    'lotsawa_poll_failures_total{kind="conflict"} 1',
    `lotsawa_build_info{version="1.2.3",node="${process.versions.node}"} 1`,
    'lotsawa_queue_depth 3',
    'lotsawa_spent_today_yuan 1.2',
  ]) {
    expect(lines).toContain(line);
  }
});

it('a figure that cannot be looked up is no number, and hides no other', async () => {
  const text = await metrics({ queueDepth: () => Promise.reject(new Error('locked')) }).render();
  expect(text).toMatch(/^lotsawa_queue_depth nan$/im);
  expect(text).toContain('lotsawa_spent_today_yuan 1.2');
});

it('a clock that was set back takes nothing off a sum', async () => {
  const all = metrics();
  all.serviceCall('speech', 'ok', -5000);
  expect(await all.render()).toContain('lotsawa_service_call_seconds_sum{kind="speech"} 0\n');
});

it('two of them count apart', async () => {
  const [one, other] = [metrics(), metrics()];
  one.deadLetters.inc(5);
  expect(await other.render()).toContain('lotsawa_updates_set_aside_total 0\n');
});

it('the dashboard asks for metrics that there are, and leaves out none of ours', async () => {
  const there = new Set(Array.from((await everything()).matchAll(/^([a-z_0-9]+)[{ ]/gm), ([, name]) => name));
  const queries = [
    ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ...dashboard.templating.list.map(({ query }) => query),
  ].join('\n');
  const asked = new Set(queries.match(/\b(?:lotsawa|process|nodejs)_\w+/g));
  expect([...asked].filter((name) => !there.has(name))).toEqual([]);
  const families = Array.from((await everything()).matchAll(/^# TYPE (lotsawa_\w+)/gm), ([, name]) => name);
  const isShown = (name = '') => asked.has(name) || asked.has(`${name}_bucket`);
  expect(families.filter((name) => !isShown(name))).toEqual([]);
});
