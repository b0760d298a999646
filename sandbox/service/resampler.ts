/** Brings speech from one sample rate to a lower one: a polyphase low-pass filter. */

/** Input samples that each output sample is made of: enough to keep what would fold back below −60 dB. */
const TAPS = 64;
const HALF = TAPS / 2;

/** The filter ends its fall, not begins it, at the new Nyquist frequency. */
const PASS_BAND = 0.9;

/** Brings sound at `from` Hz to `to` Hz, which is less; silence surrounds it. The first samples of both lie on one another. */
export function resample(samples: Int16Array, from: number, to: number): Int16Array {
  const divisor = greatestCommonDivisor(from, to);
  const [phases, step] = [to / divisor, from / divisor];
  const filters = Array.from({ length: phases }, (_, phase) => filterFor(phase / phases, to / from));
  return Int16Array.from({ length: Math.floor((samples.length * phases) / step) }, (_, index) => {
    const position = index * step;
    const filter = filters[position % phases] ?? [];
    const start = Math.floor(position / phases) - (HALF - 1);
    const sum = filter.reduce((sum, weight, tap) => sum + weight * (samples[start + tap] ?? 0), 0);
    return Math.max(-32768, Math.min(32767, Math.round(sum)));
  });
}

/** A sinc under a Blackman window, centred `offset` input samples after tap HALF − 1; its weights sum to 1. */
function filterFor(offset: number, ratio: number): number[] {
  const cutoff = ratio * PASS_BAND;
  const weights = Array.from({ length: TAPS }, (_, tap) => {
    const distance = tap - (HALF - 1) - offset;
    const angle = (Math.PI * distance) / HALF;
    const window = Math.abs(distance) > HALF ? 0 : 0.42 + 0.5 * Math.cos(angle) + 0.08 * Math.cos(2 * angle);
    return window * (distance === 0 ? cutoff : Math.sin(Math.PI * cutoff * distance) / (Math.PI * distance));
  });
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
