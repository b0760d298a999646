/** The goals, and the figures measured for them. */
import { compare, type Figure } from './comparison.ts';
import { atLeast, atMost, type Line, line, show } from './goal.ts';
import type { Results } from './results.ts';
import { scaleLines } from './scale/table.ts';

/** A line for each goal (design §6, and those of our own), in the order of the table. */
export function goalLines(results: Results): Line[] {
  const { ratio, own, single, callsPerUpdate } = compare(results);
  const soaked = (figure: string): readonly number[] => results.singles.soak?.[figure] ?? [];
  const memory = soaked('memory MB');
  const ms = (scenario: string, figure: Figure): string => ` (${show(own(scenario, figure))} ms)`;
  const cpu = (scenario: string): string => ` (${show(own(scenario, 'cpuSPer1000'))} s)`;
  const plain = (scenario: string, figure: Figure): string =>
    `; plain Telegraf ${show(ratio(scenario, figure, 'telegraf'))} ×`;

  return [
    atMost('texts, time to answer, p95', 1, ratio('mixed', 'textP95'), '×', plain('mixed', 'textP95')),
    atMost(
      'texts, added to the service’s time, p50',
      6,
      own('mixed', 'textAddedP50'),
      'ms',
      ` (${show(ratio('mixed', 'textAddedP50'))} ×)`,
    ),
    atMost(
      'on PostgreSQL: texts, added to the service’s time, p50',
      12,
      own('postgres', 'textAddedP50'),
      'ms',
      ` (${show(ratio('postgres', 'textAddedP50'))} ×)`,
    ),
    atMost(
      'on PostgreSQL: CPU per 1000 updates',
      0.85,
      ratio('postgres', 'cpuSPer1000'),
      '×',
      cpu('postgres'),
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
    atMost('CPU per 1000 updates', 0.85, ratio('mixed', 'cpuSPer1000'), '×', cpu('mixed')),
    atMost(
      'RSS of the largest process',
      1.3,
      ratio('mixed', 'largestMb'),
      '×',
      ` (${show(own('mixed', 'largestMb'))} MB)`,
    ),
    atMost(
      'RSS of the whole tree',
      1,
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
      700,
      single('start', 'lotsawa'),
      'ms',
      `; grammY ${show(single('start', 'grammy'))} ms`,
    ),
    atMost('everything, 10⁵ times: memory beside 10⁴', 1.1, (memory.at(-1) ?? Number.NaN) / (memory[0] ?? 0)),
    atMost('everything, 10⁵ times: lost, doubled or wrong', 0, sum(soaked('lost, doubled, wrong')), ''),
    ...scaleLines(results.singles),
  ];
}

/** NaN of nothing. */
function sum(values: readonly number[]): number {
  return values.length === 0 ? Number.NaN : values.reduce((all, value) => all + value, 0);
}
