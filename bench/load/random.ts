/** Random numbers that come out the same for the same seed, so that every bot meets the same load. */

export type Random = () => number;

/** Numbers from 0 up to 1 (mulberry32). */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The time until the next arrival of a Poisson process, in ms. */
export function poissonGapMs(random: Random, perSecond: number): number {
  return (-Math.log(1 - random()) * 1000) / perSecond;
}

/** One of `items`. */
export function pick<T>(random: Random, items: readonly T[]): T {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error('there is nothing to pick from');
  return item;
}

/** How often something happens that happens `mean` times on average (Poisson; by its normal limit where that is exact enough). */
export function poissonCount(random: Random, mean: number): number {
  if (mean > 50) {
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal));
  }
  const limit = Math.exp(-mean);
  let count = 0;
  for (let product = random(); product > limit; product *= random()) count += 1;
  return count;
}

/** The expected share of `draws` that repeat an earlier one, of `kinds` things drawn with a frequency of 1/rank^exponent. */
export function zipfShareOfRepeats(draws: number, kinds: number, exponent: number): number {
  let weights = 0;
  for (let rank = 1; rank <= kinds; rank += 1) weights += rank ** -exponent;
  let different = 0;
  for (let rank = 1; rank <= kinds; rank += 1) {
    different += 1 - Math.exp((-draws * rank ** -exponent) / weights);
  }
  return draws === 0 ? 0 : Math.max(0, 1 - different / draws);
}
