/** The goals, and the figures measured for them. */
import { compare, type Figure } from './comparison.ts';
import { atLeast, atMost, type Line, line, show } from './goal.ts';
import type { Results } from './results.ts';
import { scaleLines } from './scale/table.ts';

/** A line for each goal, in the order of the table. */
export function goalLines(results: Results): Line[] {
  const { ratio, own, single, callsPerUpdate, longestBlockMs } = compare(results);
  const ms = (scenario: string, figure: Figure): string => ` (${show(own(scenario, figure))} ms)`;
  const plain = (scenario: string, figure: Figure): string =>
    `; plain Telegraf ${show(ratio(scenario, figure, 'telegraf'))} ×`;
  const added = ratio('mixed', 'textAddedP50');
  const addedMs = own('mixed', 'textAddedP50');

  return [
    atMost('texts, time to answer, p95', 1.05, ratio('mixed', 'textP95'), '×', plain('mixed', 'textP95')),
    atMost('texts, time to answer, p99', 1.1, ratio('mixed', 'textP99')),
    line(
      'texts, added to the service’s time, p50',
      '≤ 1.1 × (≤ 6 ms)',
      added,
      '×',
      added <= 1.1 && addedMs <= 6,
      ` (${show(addedMs)} ms)`,
    ),
    atMost('Bot API 50 ms away: text p50', 0.8, ratio('far-telegram', 'textP50')),
    atMost('Bot API 50 ms away: photo p50', 0.93, ratio('far-telegram', 'photoP50')),
    atMost('Bot API 50 ms away: speech p50', 0.8, ratio('far-telegram', 'speechP50')),
    atMost('10 s of speech, p50', 0.85, ratio('mixed', 'speechP50'), '×', ms('mixed', 'speechP50')),
    atMost('10 s of speech, p95', 0.85, ratio('mixed', 'speechP95')),
    atMost(
      'last PCM byte → voice note sent, p50',
      0.1,
      ratio('mixed', 'lastByteP50'),
      '×',
      ms('mixed', 'lastByteP50'),
    ),
    atMost(
      'last PCM byte → voice note sent, p95',
      0.15,
      ratio('mixed', 'lastByteP95'),
      '×',
      ms('mixed', 'lastByteP95'),
    ),
    atMost(
      'the same after 60 s of speech, beside 10 s',
      1.5,
      own('long-speech', 'lastByteP50') / own('short-speech', 'lastByteP50'),
    ),
    atMost(
      'others’ texts, p95, during one person’s 20 s of speech',
      1.03,
      ratio('behind-speech', 'textP95'),
      '×',
      plain('behind-speech', 'textP95'),
    ),
    atMost('others’ texts, p95, a 7.4 MB picture every second', 0.9, ratio('behind-picture', 'textP95')),
    atMost('saturated: texts p95', 0.4, ratio('saturated', 'textP95')),
    atLeast('saturated: answers/s', 1.1, ratio('saturated', 'answersPerS')),
    atMost('saturated: speech p95', 1.1, ratio('saturated', 'speechP95')),
    atMost('saturated: RSS of the tree', 1.2, ratio('saturated', 'treeMb')),
    atMost(
      'CPU per 1000 updates',
      0.6,
      ratio('mixed', 'cpuSPer1000'),
      '×',
      ` (${show(own('mixed', 'cpuSPer1000'))} s)`,
    ),
    atMost(
      'RSS of the largest process',
      1.3,
      ratio('mixed', 'largestMb'),
      '×',
      ` (${show(own('mixed', 'largestMb'))} MB)`,
    ),
    atMost(
      'RSS of the whole tree',
      1.3,
      ratio('mixed', 'treeMb'),
      '×',
      ` (${show(own('mixed', 'treeMb'))} MB)`,
    ),
    line(
      'half repeated: paid calls per different request',
      'exactly 1.00',
      own('repeated', 'paidPerDifferent'),
      '',
      own('repeated', 'paidPerDifferent') === 1,
      `; grammY ${show(own('repeated', 'paidPerDifferent', 'grammy'))}`,
    ),
    atMost('half repeated: repeated text p50', 10, own('repeated', 'repeatedTextP50'), 'ms'),
    atMost('half repeated: repeated voice p50', 20, own('repeated', 'repeatedSpeechP50'), 'ms'),
    atMost('Bot API calls per update', 2.15, callsPerUpdate('mixed'), ''),
    atMost(
      'start to ready, a fresh database',
      600,
      single('start', 'lotsawa'),
      'ms',
      `; grammY ${show(single('start', 'grammy'))} ms`,
    ),
    atMost('longest block of the event loop by own work', 10, longestBlockMs(), 'ms'),
    atMost('memory after 10⁵ updates beside 10⁴', 1.1, single('memory', 'ratio')),
    ...scaleLines(results.singles),
  ];
}
