/** The photos that the page offers to send with one click. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PageSample } from './protocol.ts';

export interface SamplePhoto extends PageSample {
  /** The JPEG's bytes. */
  read(): Promise<Buffer>;
}

const FOLDER = join(import.meta.dirname, '..', 'samples');

function sample(name: string, label: string, caption: string): SamplePhoto {
  return { name, label, caption, read: () => readFile(join(FOLDER, `${name}.jpg`)) };
}

export const SAMPLE_PHOTOS: readonly SamplePhoto[] = [
  sample('tibetan', 'Tibetan', ''),
  // Photos are read as Tibetan to begin with; a caption that names a language is for this one photo.
  sample('chinese', 'Chinese', '中文'),
];
