/** Recognition by Tesseract (WASM, in worker threads of its own), with language data from installed packages: no network. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createWorker, type Line, OEM, type Page, PSM, type Worker } from 'tesseract.js';
import type { Language, ReadLine, ReadPage } from './engines.ts';

/** The names of the data, in packages `@tesseract.js-data/…`. */
const DATA = { bo: 'bod', zh: 'chi_sim' } as const satisfies Record<Language, string>;

/** Of the packaged data sets the float one: larger (20 MB for Chinese), slower to load and more exact than `4.0.0_best_int`. */
const DATA_SET = '4.0.0';

/** A page of any layout, where tesseract.js assumes one block of text; its density; and no remarks of Tesseract on the terminal. */
const PARAMETERS = { tessedit_pageseg_mode: PSM.AUTO, user_defined_dpi: '300', debug_file: '/dev/null' };

/** One worker for each language, started with its first picture; pictures of a language are read one after the other. */
export function createRecognitionEngine() {
  const workers = new Map<Language, Promise<Worker>>();
  const workerFor = (language: Language) => {
    const worker = workers.get(language) ?? startWorker(DATA[language]);
    workers.set(language, worker);
    return worker;
  };
  return {
    async recognise(image: Buffer, language: Language): Promise<ReadPage> {
      const worker = await workerFor(language);
      const { data } = await worker.recognize(image, {}, { text: false, blocks: true });
      return toReadPage(data, language);
    },
    async close() {
      const started = await Promise.allSettled(workers.values());
      for (const worker of started) if (worker.status === 'fulfilled') await worker.value.terminate();
    },
  };
}

/** `cacheMethod: none` keeps tesseract.js from writing its data into the working directory. */
function startWorker(data: string): Promise<Worker> {
  const packageFile = createRequire(import.meta.url).resolve(`@tesseract.js-data/${data}/package.json`);
  return new Promise((resolve, reject) => {
    createWorker(data, OEM.LSTM_ONLY, {
      langPath: join(dirname(packageFile), DATA_SET),
      cacheMethod: 'none',
      // Without a handler a failing job would end the process; each job's own promise still rejects. Only the handler is told of a worker
      // that fails to start.
      errorHandler: reject,
    })
      .then(async (worker) => {
        await worker.setParameters(PARAMETERS);
        resolve(worker);
      })
      .catch(reject);
  });
}

function toReadPage(page: Page, language: Language): ReadPage {
  const lines: ReadLine[] = [];
  const paragraphs: number[][] = [];
  for (const paragraph of (page.blocks ?? []).flatMap((block) => block.paragraphs)) {
    const positions: number[] = [];
    for (const line of paragraph.lines) {
      const words = tidy(line.text, language);
      if (words === '') continue;
      positions.push(lines.length);
      lines.push({ words, location: locationOf(line), probability: probabilityOf(line) });
    }
    if (positions.length > 0) paragraphs.push(positions);
  }
  return { lines, paragraphs };
}

/**
 * Tesseract parts "words" by spaces in scripts that write none. Han characters and their punctuation are put together
 * again; Tibetan keeps the one space that it does write, after a shad or ག.
 */
function tidy(line: string, language: Language): string {
  const trimmed = line.trim();
  return language === 'zh'
    ? trimmed.replace(/(?<=[\p{Script=Han}\p{P}]) (?=[\p{Script=Han}\p{P}])/gu, '')
    : trimmed.replace(/(?<=[\u0F0B\u0F40-\u0FBC]) (?=[\u0F0B\u0F40-\u0FBC])(?<!ག )/gu, '');
}

function locationOf({ bbox }: Line): ReadLine['location'] {
  return { top: bbox.y0, left: bbox.x0, width: bbox.x1 - bbox.x0, height: bbox.y1 - bbox.y0 };
}

function probabilityOf({ words }: Line): ReadLine['probability'] {
  const confidences = words.map((word) => word.confidence / 100);
  if (confidences.length === 0) return undefined;
  const average = mean(confidences);
  const variance = mean(confidences.map((confidence) => (confidence - average) ** 2));
  return { average, variance, min: Math.min(...confidences) };
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}
