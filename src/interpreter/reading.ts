/** Reads a picture: fetched, made to fit, and recognised in one paid call. */
import type { Language } from '../language/script.ts';
import type { Asked, Picture, Tools } from './interpreter.ts';
import { recognitionKey } from './result-key.ts';

/** The recognised lines, joined with line breaks; empty when nothing was found. */
export function read(
  { service, images, ledger, results, payOnce }: Tools,
  picture: Picture,
  language: Language,
  asked: Asked,
): Promise<string> {
  const { asker } = asked;
  const key = recognitionKey(picture.id, language);
  return payOnce(
    {
      kind: 'recognition',
      key,
      calls: 1,
      recall: () => results.text(key),
      buy: async (signal) => {
        const image = await images.fit(await picture.load(signal), signal);
        const meter = { begin: ledger.begin.bind(undefined, asker) };
        const { lines } = await service.recognise({ input: { image }, language }, { signal, meter });
        return lines
          .map(({ text }) => text)
          .join('\n')
          .trim();
      },
      keep: (text) => results.keepText(key, asker.person, text),
    },
    asked,
  );
}
