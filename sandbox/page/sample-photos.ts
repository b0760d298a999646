/** The photos that the page offers to send with one click. */
import { readFile } from 'node:fs/promises';
import { CHINESE_SAMPLE, type Sample, TIBETAN_SAMPLE } from '../samples/samples.ts';
import type { PageSample } from './protocol.ts';

export interface SamplePhoto extends PageSample {
  /** The JPEG's bytes. */
  read(): Promise<Buffer>;
}

function sample(name: string, label: string, caption: string, { file }: Sample): SamplePhoto {
  return { name, label, caption, read: () => readFile(file) };
}

export const SAMPLE_PHOTOS: readonly SamplePhoto[] = [
  sample('tibetan', 'Tibetan', '', TIBETAN_SAMPLE),
  // Photos are read as Tibetan to begin with; a caption that names a language is for this one photo.
  sample('chinese', 'Chinese', '中文', CHINESE_SAMPLE),
];
