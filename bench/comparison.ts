/** Medians over the rounds: a bot's own figures, and their ratio to another bot's in the same round. */
import type { BotName } from './bots.ts';
import { type Figures, median } from './figures.ts';
import { USUAL_MIX } from './load/requests.ts';
import type { Results } from './results.ts';
import type { Round } from './round.ts';

/** A figure that every round has. */
export type Figure = { readonly [K in keyof Round]: Round[K] extends number ? K : never }[keyof Round] &
  keyof Figures;

/** Of these rounds; each figure is NaN if nothing was measured. */
export function compare({ rounds, singles }: Results) {
  const roundsOf = (scenario: string, bot: BotName): Round[] =>
    (rounds[scenario] ?? []).filter((round) => round.bot === bot);

  return {
    /** The median, over the seeds, of the bot's figure by grammY's. */
    ratio: (scenario: string, figure: Figure, bot: BotName = 'lotsawa'): number =>
      median(
        roundsOf(scenario, bot).flatMap((one) => {
          const base = roundsOf(scenario, 'grammy').find(({ seed }) => seed === one.seed);
          return base === undefined ? [] : [one[figure] / base[figure]];
        }),
      ),
    /** The median of the figure itself. */
    own: (scenario: string, figure: Figure, bot: BotName = 'lotsawa'): number =>
      median(roundsOf(scenario, bot).map((round) => round[figure])),
    /** The median of what is measured without rounds. */
    single: (name: string, figure: string): number => median(singles[name]?.[figure] ?? []),
    /** Of Lotsawa in a scenario, as if exactly the usual share of requests had been photos. */
    callsPerUpdate: (scenario: string): number => callsPerUpdate(roundsOf(scenario, 'lotsawa')),
  };
}

/** Each photo takes a call more than anything else, and a round draws some more or fewer. */
function callsPerUpdate(rounds: readonly Round[]): number {
  const usual = rounds.map(({ callsPerUpdate, photoShare }) => callsPerUpdate - photoShare + USUAL_MIX.photo);
  return Number(median(usual).toFixed(3));
}
