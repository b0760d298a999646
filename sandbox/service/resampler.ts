/** Brings speech from one sample rate to a lower one, as it comes: a polyphase low-pass filter. */

/** Input samples that each output sample is made of: enough to keep what would fold back below −60 dB. */
const TAPS = 64;
const HALF = TAPS / 2;

/** The filter ends its fall, not begins it, at the new Nyquist frequency. */
const PASS_BAND = 0.9;

interface Resampler {
  /** The output that the samples so far allow. */
  push(samples: Int16Array): Int16Array;
  /** The rest, as if silence followed. */
  finish(): Int16Array;
}

/** A resampler between two rates in Hz, `to` below `from`; cutting the input into chunks differently changes nothing. */
export function createResampler(from: number, to: number): Resampler {
  const divisor = greatestCommonDivisor(from, to);
  const phases = to / divisor;
  const step = from / divisor;
  const filters = Array.from({ length: phases }, (_, phase) => filterFor(phase / phases, to / from));

  /** Starts with silence, so that the first output sample lies on the first input sample. */
  let history: number[] = new Array(HALF - 1).fill(0);
  /** Where the next output sample lies, in 1/phases of an input sample from the start of `history`. */
  let position = 0;

  const push = (samples: Int16Array): Int16Array => {
    for (const sample of samples) history.push(sample);
    const output: number[] = [];
    let start = Math.floor(position / phases);
    for (; start + TAPS <= history.length; start = Math.floor(position / phases)) {
      output.push(weigh(history, start, filters[position % phases]));
      position += step;
    }
    history = history.slice(start);
    position -= start * phases;
    return Int16Array.from(output);
  };
  return { push, finish: () => push(new Int16Array(HALF)) };
}

function weigh(history: readonly number[], start: number, filter: Float64Array | undefined): number {
  let sum = 0;
  for (let tap = 0; tap < TAPS; tap += 1) sum += (filter?.[tap] ?? 0) * (history[start + tap] ?? 0);
  return Math.max(-32768, Math.min(32767, Math.round(sum)));
}

/** A sinc under a Blackman window, centred `offset` input samples after tap HALF − 1; its weights sum to 1. */
function filterFor(offset: number, ratio: number): Float64Array {
  const cutoff = ratio * PASS_BAND;
  const weights = Float64Array.from({ length: TAPS }, (_, tap) => {
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
