/** The figures of a round: times to answer, and the cost of each answer. */
import type { Exchanged } from './load/exchange.ts';
import type { PaidCall } from './load/service.ts';

export interface Figures {
  readonly requests: number;
  /** Times to answer, in ms. */
  readonly textP50: number;
  readonly textP95: number;
  /** The time that the bot adds to the service's. */
  readonly textAddedP50: number;
  readonly photoP50: number;
  readonly speechP50: number;
  readonly speechP95: number;
  /** From the last byte of sound to the voice note at Telegram. */
  readonly lastByteP50: number;
  /** Times of repeated requests, in ms. */
  readonly repeatedTextP50: number;
  readonly repeatedSpeechP50: number;
  readonly paidPerDifferent: number;
  /** Measured while people asked. */
  readonly answersPerS: number;
  readonly cpuSPer1000: number;
  /** The part of the bot's own process; the rest is ffmpeg's. */
  readonly ownCpuSPer1000: number;
  readonly callsPerUpdate: number;
  /** The share among the requests, as drawn at random. */
  readonly photoShare: number;
  readonly largestMb: number;
  readonly treeMb: number;
}

/** The raw observations of one round. */
export interface Measured {
  /** Requests of the measured people. */
  readonly exchanged: readonly Exchanged[];
  /** Requests of everybody. */
  readonly all: readonly Exchanged[];
  readonly callOf: (mark: number) => PaidCall | undefined;
  readonly seconds: number;
  readonly endedAt: number;
  readonly cpuS: number;
  readonly ownCpuS: number;
  readonly botApiCalls: number;
  readonly paid: number;
  readonly largestMb: number;
  readonly treeMb: number;
}

type Answered = Exchanged & { readonly answeredAt: number };

/** Times in ms. Answer times are those of the measured people, everything else is everybody's. */
export function summarise(measured: Measured): Figures {
  const answered = measured.exchanged.filter((one): one is Answered => one.answeredAt !== undefined);
  const of = (kind: string, isRepeat: boolean): Answered[] =>
    answered.filter(({ request }) => request.kind === kind && request.isRepeat === isRepeat);
  const times = (some: readonly Answered[]): number[] => some.map((one) => one.answeredAt - one.askedAt);
  const beyondService = ({ request, askedAt, answeredAt }: Answered): number => {
    const call = measured.callOf(request.mark);
    return answeredAt - askedAt - (call === undefined ? 0 : call.answeredAt - call.receivedAt);
  };
  const sinceLastByte = ({ request, answeredAt }: Answered): number =>
    answeredAt - (measured.callOf(request.mark)?.answeredAt ?? Number.NaN);

  const texts = of('text', false);
  const speeches = of('speech', false);
  const different = measured.all.filter(({ request }) => !request.isRepeat).length;
  const inTime = answered.filter(({ answeredAt }) => answeredAt <= measured.endedAt).length;
  return {
    requests: measured.all.length,
    textP50: percentile(times(texts), 50),
    textP95: percentile(times(texts), 95),
    textAddedP50: percentile(texts.map(beyondService), 50),
    photoP50: percentile(times(of('photo', false)), 50),
    speechP50: percentile(times(speeches), 50),
    speechP95: percentile(times(speeches), 95),
    lastByteP50: percentile(speeches.map(sinceLastByte), 50),
    repeatedTextP50: percentile(times(of('text', true)), 50),
    repeatedSpeechP50: percentile(times(of('speech', true)), 50),
    paidPerDifferent: measured.paid / different,
    answersPerS: inTime / measured.seconds,
    ownCpuSPer1000: (measured.ownCpuS * 1000) / measured.all.length,
    cpuSPer1000: (measured.cpuS * 1000) / measured.all.length,
    callsPerUpdate: measured.botApiCalls / measured.all.length,
    photoShare: measured.all.filter(({ request }) => request.kind === 'photo').length / measured.all.length,
    largestMb: measured.largestMb,
    treeMb: measured.treeMb,
  };
}

/** The percentile: `percent` % of all values are at most this; NaN for no values. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1)] ?? Number.NaN;
}

/** The median; NaN for no values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length / 2;
  if (sorted.length === 0) return Number.NaN;
  const upper = sorted[Math.floor(middle)] ?? Number.NaN;
  return Number.isInteger(middle) ? (upper + (sorted[middle - 1] ?? Number.NaN)) / 2 : upper;
}
