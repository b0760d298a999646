/** The thread that speaks: eSpeak NG (WASM) and the respelling of Tibetan, away from the service's own thread. */
import { type MessagePort, parentPort } from 'node:worker_threads';
import loadEspeak from '@echogarden/espeak-ng-emscripten';
import { type ChineseVoice, DIALECTS, SAMPLE_RATE_HZ, type Variety } from './engines.ts';
import { pronounce } from './pronunciation.ts';
import { resample } from './resampler.ts';

/** Answered on `port`: the PCM of each of its utterances (`Int16Array[]`). */
export interface SpeechJob {
  readonly text: string;
  readonly variety: Variety;
  readonly voice: ChineseVoice;
  readonly port: MessagePort;
}

const CHINESE_SPEAKERS = {
  xiaoxiao: { variant: '+f2', pitch: 55 },
  yunjian: { variant: '+m3', pitch: 40 },
} as const satisfies Record<ChineseVoice, object>;

const WORDS_A_MINUTE = 150;

const { eSpeakNGWorker } = await loadEspeak();
const espeak = new eSpeakNGWorker();

parentPort?.on('message', (job: SpeechJob) => {
  const { variant, pitch } = job.variety === 'chinese' ? CHINESE_SPEAKERS[job.voice] : DIALECTS[job.variety];
  const utterances = pronounce(job.text).map((utterance) => {
    espeak.set_voice(utterance.language + variant);
    espeak.set_pitch(pitch);
    espeak.set_rate(WORDS_A_MINUTE);
    const samples: number[] = [];
    espeak.synthesize(utterance.text, (some) => {
      for (const sample of some) samples.push(sample);
      return false;
    });
    return resample(Int16Array.from(samples), espeak.get_samplerate(), SAMPLE_RATE_HZ);
  });
  job.port.postMessage(utterances);
});
