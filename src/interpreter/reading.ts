/** Reads a picture: fetched, made to fit, and recognised in one paid call. */
import { z } from 'zod';
import type { Page } from '../language/reading.ts';
import type { Language } from '../language/script.ts';
import { isVisible } from '../language/script.ts';
import { meterOf } from './account.ts';
import type { Deps } from './deps.ts';
import { ifReadable } from './pay-once.ts';
import type { Asked, Picture } from './request.ts';
import { paragraphsKey, recognitionKey } from './request.ts';

/** What a picture of unknown size counts as, in bytes: the largest file that Telegram hands out. */
const UNKNOWN_BYTES = 20 * 1024 * 1024;

/** The recognised lines, joined with line breaks; empty when nothing was found, or nothing that shows. */
export async function read(deps: Deps, picture: Picture, language: Language, asked: Asked): Promise<string> {
  const { provider, images, results, payOnce, pictureMemory } = deps;
  const { asker, onProgress } = asked;
  const key = recognitionKey(picture.id, language);
  let paragraphs: Page['paragraphs'];
  const text = await payOnce(
    {
      kind: 'recognition',
      key,
      isChecked: true,
      recall: () => results.text(key),
      buy: (signal) =>
        pictureMemory.spend(
          { units: picture.bytes ?? UNKNOWN_BYTES, person: asker.person, signal },
          async () => {
            onProgress?.(0, 1);
            const image = await images.fit(await picture.load(signal), signal, asker.person);
            const meter = meterOf(deps, asker);
            const page = await provider.recognise({ input: { image }, language }, { signal, meter });
            onProgress?.(1, 1);
            const lines = page.lines.map(({ text }) => text);
            paragraphs = ofShownLines(lines, page.paragraphs);
            return lines.join('\n').trim();
          },
        ),
      keep: async (text) => {
        if (paragraphs !== undefined) {
          await results.keepText(paragraphsKey(text), asker.person, JSON.stringify(paragraphs));
        }
        await results.keepText(key, asker.person, text);
      },
    },
    asked,
  );
  return isVisible(text) ? text : '';
}

/** Whether the text is kept, so that giving it costs nothing; false also where that cannot be seen. */
export async function isRead({ results }: Deps, picture: Picture, language: Language): Promise<boolean> {
  const text = await results.text(recognitionKey(picture.id, language)).catch(() => undefined);
  return text !== undefined;
}

/** The paragraphs of a page without the empty lines at its top, which are not shown. */
function ofShownLines(lines: readonly string[], paragraphs: Page['paragraphs']): Page['paragraphs'] {
  const top = lines.findIndex((line) => line.trim() !== '');
  const shown = paragraphs?.map((indices) =>
    indices.map((index) => index - top).filter((index) => index >= 0),
  );
  return shown?.some((indices) => indices.length > 0) ? shown : undefined;
}

const keptParagraphs = z.array(z.array(z.number().int().nonnegative()));

/** A page whose text `read` gave, by its lines; with its paragraphs where the service told of them and they are kept. */
export async function pageOf({ results, log }: Deps, text: string): Promise<Page> {
  const lines = text.split('\n');
  const kept = await ifReadable(results.text(paragraphsKey(text)), log, 'kept paragraphs cannot be read');
  return kept === undefined ? { lines } : { lines, paragraphs: keptParagraphs.parse(JSON.parse(kept)) };
}
