/** What a paid call costs (service-interface §8: 0.4 yuan). */

/** In fen, a hundredth of a yuan, so that sums stay whole. */
const CALL_PRICE_FEN = 40;

/** What so many paid calls cost, in yuan. */
export function costYuan(calls: number): number {
  return (calls * CALL_PRICE_FEN) / 100;
}

/** How many paid calls a budget in yuan allows; Infinity of one without an end. */
export function callsWithin(yuan: number): number {
  return Math.floor((yuan * 100) / CALL_PRICE_FEN);
}
