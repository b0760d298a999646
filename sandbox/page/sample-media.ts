/** The photos, the film with a caption, and the document that the page offers to send with one click. */
import { basename } from 'node:path';
import { CHINESE_SAMPLE, FILM_SAMPLE, TIBETAN_SAMPLE } from '../samples/samples.ts';
import type { PageSample } from './protocol.ts';

/** Photos are read as Tibetan to begin with; a caption that names a language is for this one photo. */
const CHINESE_PHOTO = '中文';

export const SAMPLES: readonly PageSample[] = [
  { name: 'tibetan', label: 'Tibetan photo', file: basename(TIBETAN_SAMPLE.file), caption: '' },
  { name: 'chinese', label: 'Chinese photo', file: basename(CHINESE_SAMPLE.file), caption: CHINESE_PHOTO },
  { name: 'film', label: 'Film with a caption', ...FILM_SAMPLE, file: basename(FILM_SAMPLE.file) },
  { name: 'pecha', label: 'Pecha folio', file: 'pecha.jpg', caption: '' },
  { name: 'newspaper', label: 'Newspaper', file: 'newspaper.jpg', caption: CHINESE_PHOTO },
  { name: 'pdf', label: 'PDF, 3 pages', file: 'three-pages.pdf', preview: 'newspaper.jpg', caption: '' },
];
