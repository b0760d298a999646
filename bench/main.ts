/**
 * `npm run bench`: measures Lotsawa beside two other bots under the same load, and compares it with its goals. A light Telegram, a light
 * service and the people run in this process; each bot has its own.
 */
import { setPriority } from 'node:os';
import { parseArgs } from 'node:util';
import { aVoice } from './load/sound.ts';
import { readResults, writeResults } from './results.ts';
import { runRound } from './round.ts';
import { SCENARIOS } from './scenarios.ts';
import { AT_SCALE, SINGLES } from './singles.ts';
import { tableOf } from './table.ts';

const USAGE = `npm run bench -- [--only NAME] [--rounds N] [--seed N] [--quick]

  --only    one scenario: ${[...SCENARIOS.map(({ name }) => name), ...Object.keys(SINGLES)].join(', ')};
            and, measured by its name alone: ${Object.keys(AT_SCALE).join(', ')}
  --rounds  how often each is measured (3)
  --seed    of the first round (1); the figures of other seeds stay as they were
  --quick   one short round of each: under 5 minutes, and rough`;

const QUICK_SHARE = 0.3;

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    rounds: { type: 'string' },
    seed: { type: 'string', default: '1' },
    quick: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) console.log(USAGE);
else await bench();

async function bench(): Promise<void> {
  const isQuick = values.quick;
  const rounds = Number(values.rounds ?? (isQuick ? 1 : 3));
  const firstSeed = Number(values.seed);
  const isWanted = (name: string): boolean => values.only === undefined || values.only === name;
  const isAll = values.only === undefined && values.seed === '1';
  const before = readResults();
  const atScale = Object.entries(before.singles).filter(([name]) => name in AT_SCALE);
  const results = isAll ? { rounds: {}, singles: Object.fromEntries(atScale) } : before;
  hurry();
  const voice = await aVoice();

  for (const scenario of SCENARIOS.filter(({ name }) => isWanted(name))) {
    const seconds = isQuick ? Math.ceil(scenario.seconds * QUICK_SHARE) : scenario.seconds;
    for (let seed = firstSeed; seed < firstSeed + rounds; seed += 1) {
      for (const bot of scenario.bots) {
        console.error(`  ${scenario.name}, ${bot}, round ${seed}`);
        const round = await runRound({ ...scenario, seconds }, bot, seed, voice);
        const others = (results.rounds[scenario.name] ?? []).filter(
          (one) => one.bot !== bot || one.seed !== seed,
        );
        results.rounds[scenario.name] = [...others, round];
      }
    }
    writeResults(results, tableOf(results));
  }
  const singles = [
    ...Object.entries(SINGLES).filter(([name]) => isWanted(name)),
    ...Object.entries(AT_SCALE).filter(([name]) => values.only === name),
  ];
  for (const [name, measure] of singles) {
    console.error(`  ${name}`);
    results.singles[name] = await measure({ voice, isQuick, rounds });
    writeResults(results, tableOf(results));
  }
  console.log(tableOf(results));
}

/** Gives the generator priority over the bots, if the machine allows that, so that it is never late itself. */
function hurry(): void {
  try {
    setPriority(-5);
  } catch {
    // Without the right to do so; its lag is measured in any case.
  }
}
