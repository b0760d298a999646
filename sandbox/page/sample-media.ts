/** The photos, the film with a caption, and the document that the page offers to send with one click. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { CHINESE_SAMPLE, FILM_SAMPLE, TIBETAN_SAMPLE } from '../samples/samples.ts';
import type { PageSample } from './protocol.ts';

/** A sample, sent with one click. */
export interface SampleMedia extends PageSample {
  /** Its file name. */
  readonly fileName?: string;
  /** A JPEG, a WebM where it is a film, or the file. */
  read(): Promise<Buffer>;
  /** The same, or a JPEG in place of a file. */
  preview(): Promise<Buffer>;
}

export const SAMPLES: readonly SampleMedia[] = [
  sample({ name: 'tibetan', label: 'Tibetan photo', caption: '' }, TIBETAN_SAMPLE.file),
  // Photos are read as Tibetan to begin with; a caption that names a language is for this one photo.
  sample({ name: 'chinese', label: 'Chinese photo', caption: '中文' }, CHINESE_SAMPLE.file),
  sample({ name: 'film', label: 'Film with a caption', ...FILM_SAMPLE }, FILM_SAMPLE.file),
  sample({ name: 'pecha', label: 'Pecha folio', caption: '' }, place('pecha.jpg')),
  sample({ name: 'newspaper', label: 'Newspaper', caption: '中文' }, place('newspaper.jpg')),
  {
    name: 'pdf',
    label: 'PDF, 3 pages',
    caption: '',
    fileName: 'three-pages.pdf',
    read: () => readFile(place('three-pages.pdf')),
    preview: () => readFile(place('newspaper.jpg')),
  },
];

function place(name: string): string {
  return fileURLToPath(new URL(`../samples/${name}`, import.meta.url));
}

function sample({ name, label, caption, film }: PageSample, file: string): SampleMedia {
  const read = () => readFile(file);
  return { name, label, caption, ...(film && { film }), read, preview: read };
}
