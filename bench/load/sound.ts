/** Speech as an encoder meets it, and the length of what it makes of it. */
import { createSpeechEngine } from '../../sandbox/service/speech-engine.ts';

const BYTES_PER_MS = 32;
const MAX_MS = 62_000;
const WORDS =
  '今天的天气很好，我们早上去学校上课，下午在图书馆看书。昨天我收到了妈妈寄来的一封信，她说家里一切都好，让我不要担心。请你明天早上八点到学校门口等我，我们一起坐车去寺院参观。';

/** Returns s16le PCM, 16 kHz, mono, of this length in ms: a voice that repeats itself. */
export type Voice = (ms: number) => Buffer;

/** Lets a synthesiser speak once: an encoder takes longer for a voice than for a tone. */
export async function aVoice(): Promise<Voice> {
  const engine = createSpeechEngine();
  const said = Buffer.concat(await Array.fromAsync(engine.speak(WORDS, 'chinese', 'xiaoxiao')));
  await engine.close();
  const long = Buffer.alloc(MAX_MS * BYTES_PER_MS, said);
  return (ms) => long.subarray(0, ms * BYTES_PER_MS);
}

/** RFC 3533: a page begins so; the granule position is a 64-bit number at byte 6. */
const PAGE = Buffer.from('OggS');
const GRANULE_AT = 6;
/** RFC 7845: Opus in Ogg counts samples at 48 kHz; the header gives the number to skip at the beginning. */
const OPUS_HZ = 48_000;
const OPUS_HEAD = Buffer.from('OpusHead');
const PRE_SKIP_AT = 10;

/** Returns the length of an Ogg/Opus file in ms; NaN if it is not one. */
export function oggLengthMs(file: Buffer): number {
  const head = file.indexOf(OPUS_HEAD);
  const lastPage = file.lastIndexOf(PAGE);
  if (head < 0 || lastPage < 0) return Number.NaN;
  const granule = Number(file.readBigInt64LE(lastPage + GRANULE_AT));
  return ((granule - file.readUInt16LE(head + PRE_SKIP_AT)) * 1000) / OPUS_HZ;
}
