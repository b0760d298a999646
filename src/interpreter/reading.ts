/** Reads a picture: fetched, made to fit, and recognised in one paid call. */
import type { Language } from '../language/script.ts';
import { isVisible } from '../language/script.ts';
import { meterOf } from './account.ts';
import type { Deps } from './deps.ts';
import type { Asked, Picture } from './request.ts';
import { recognitionKey } from './request.ts';

/** What a picture of unknown size counts as, in bytes: the largest file that Telegram hands out. */
const UNKNOWN_BYTES = 20 * 1024 * 1024;

/** The recognised lines, joined with line breaks; empty when nothing was found, or nothing that shows. */
export async function read(deps: Deps, picture: Picture, language: Language, asked: Asked): Promise<string> {
  const { provider, images, results, payOnce, pictureMemory } = deps;
  const { asker, onProgress, callsAfter = [] } = asked;
  const key = recognitionKey(picture.id, language);
  const text = await payOnce(
    {
      kind: 'recognition',
      key,
      calls: ['recognition', ...callsAfter],
      recall: () => results.text(key),
      buy: (signal) =>
        pictureMemory.spend(
          { units: picture.bytes ?? UNKNOWN_BYTES, person: asker.person, signal },
          async () => {
            onProgress?.(0, 1);
            const image = await images.fit(await picture.load(signal), signal, asker.person);
            const meter = meterOf(deps, asker);
            const { lines } = await provider.recognise({ input: { image }, language }, { signal, meter });
            onProgress?.(1, 1);
            return lines
              .map(({ text }) => text)
              .join('\n')
              .trim();
          },
        ),
      keep: (text) => results.keepText(key, asker.person, text),
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
