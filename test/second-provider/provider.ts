/** Another provider than the bot's own: the sandbox's quick engines, called in this process. It sells by the kind, at other prices. */
import { createQuickEngines } from '../../sandbox/service/quick-engines.ts';
import { Failure } from '../../src/errors.ts';
import type { Provider, ProviderCall } from '../../src/interpreter/provider.ts';
import type { Language } from '../../src/language/script.ts';
import type { CallKind } from '../../src/paid-calls.ts';
import { throwIfCancelled } from '../../src/patience.ts';

/** In fen. */
export const PRICES: Readonly<Record<CallKind, number>> = { recognition: 150, translation: 8, speech: 31 };
const CODES = { tibetan: 'bo', chinese: 'zh' } as const satisfies Record<Language, string>;

export interface SecondProvider extends Provider {
  /** From now on it refuses its only key. */
  revoke(): void;
}

/** Takes short texts and small pictures; one key opens all of it. */
export function createSecondProvider(): SecondProvider {
  const engines = createQuickEngines();
  let isRevoked = false;

  /** One call, never tried again. */
  async function sell<T>(
    kind: CallKind,
    characters: number,
    call: ProviderCall,
    work: () => Promise<T>,
  ): Promise<T> {
    const settle = await call.meter.begin({ kind, characters });
    let result: T;
    try {
      throwIfCancelled(call.signal);
      if (isRevoked) throw new Failure('auth', 'the key is refused');
      result = await work();
    } catch (error) {
      await settle('failed').catch(() => {});
      throw error;
    }
    // A call that cannot be settled counts as paid, which it is; its result is given all the same.
    await settle('charged').catch(() => {});
    return result;
  }

  return {
    recognise: ({ input, language }, call) =>
      sell('recognition', 0, call, async () => {
        const { lines } = await engines.recognise(input.image.bytes, CODES[language]);
        return { lines: lines.map(({ words }) => ({ text: words })) };
      }),
    translate: ({ text, from, to }, call) =>
      sell('translation', [...text].length, call, async () => ({
        text: await engines.translate(text, CODES[from], CODES[to]),
      })),
    speak: ({ text, ...speaker }, call) =>
      sell('speech', [...text].length, call, async () => {
        const voice = speaker.variety === 'chinese' ? speaker.voice : 'xiaoxiao';
        return engines.speak(text, speaker.variety, voice);
      }),
    prices: PRICES,
    maxTextLength: 100,
    pictureLimits: { bytes: 1_000_000, minSide: 50, maxSide: 1000 },
    credentials: { recognition: 'key', translation: 'key', speech: 'key' },
    fingerprint: 'key-1',
    state: () => ({ state: 'up', since: new Date().toISOString() }),
    close: async () => {},
    revoke: () => {
      isRevoked = true;
    },
  };
}
