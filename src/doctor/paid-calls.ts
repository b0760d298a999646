/** Makes one paid call of each kind, as the bot does, and enters them in the ledger if there is one. */
import { readFileSync } from 'node:fs';
import { isFailure } from '../errors.ts';
import { type Provider, type ProviderCall, SAMPLE_BYTES, SAMPLE_RATE } from '../interpreter/provider.ts';
import { type CallKind, type CallOutcome, yuan } from '../paid-calls.ts';
import type { Ledger } from '../store/money/ledger.ts';
import { errorCode, type Finding, open, well, wrong } from './finding.ts';
import { PRICES, remedies } from './service.ts';

/** The asker in the ledger. */
const ASKER = { person: 'doctor', group: undefined };
/** Two Tibetan words: "Tibetan writing". */
const TEXT = 'བོད་ཡིག';
const PICTURE = new URL('tibetan-writing.png', import.meta.url);

const COSTS = Object.values(PRICES);
/** Shown before any money is spent: the price of one call of each kind. */
export const PRICE = `${COSTS.length} calls, ${yuan(COSTS.reduce((sum, cost) => sum + cost))} yuan`;

/** Makes the calls one after another. `ledger` is undefined if there is no usable database. */
export async function* makePaidCalls(service: Provider, ledger: Ledger | undefined): AsyncGenerator<Finding> {
  let charged = 0;
  let inDoubt = 0;
  const options: ProviderCall = {
    meter: {
      begin: async (call) => {
        const cost = service.price(call.kind);
        const settle = await ledger?.begin(ASKER, { ...call, cost });
        return async (outcome: CallOutcome) => {
          if (outcome === 'charged') charged += cost;
          if (outcome === 'in-doubt') inDoubt += cost;
          await settle?.(outcome);
        };
      },
    },
  };
  yield* attempt('recognition', async () => {
    const image = { bytes: readFileSync(PICTURE), format: 'png', width: 320, height: 120 } as const;
    const { lines } = await service.recognise({ input: { image }, language: 'tibetan' }, options);
    const read = lines.map((line) => line.text.trim()).join(' ');
    return read === '' ? undefined : `it read "${read}" where "${TEXT}" is written`;
  });
  yield* attempt('translation', async () => {
    const { text } = await service.translate({ text: TEXT, from: 'tibetan', to: 'chinese' }, options);
    return `"${TEXT}" became "${text}"`;
  });
  yield* attempt('speech', async () => {
    let bytes = 0;
    for await (const chunk of await service.speak({ text: TEXT, variety: 'utsang' }, options))
      bytes += chunk.length;
    return `${(bytes / SAMPLE_BYTES / SAMPLE_RATE).toFixed(1)} s of sound`;
  });
  const where = ledger === undefined ? ', not recorded in a ledger: there is no usable database' : '';
  const more = inDoubt === 0 ? '' : `, or ${yuan(inDoubt)} more, which only the provider knows`;
  yield well(`Service: these calls cost ${yuan(charged)} yuan${more}${where}`);
}

/** Makes one call. `work` returns its result in words; undefined if the service answered without a failure, but with nothing. */
async function* attempt(kind: CallKind, work: () => Promise<string | undefined>): AsyncGenerator<Finding> {
  const startedAt = performance.now();
  try {
    const result = await work();
    const took = `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
    if (result === undefined) {
      const text = `Service: ${kind} answered in ${took}, but recognised nothing where "${TEXT}" is written`;
      yield open(text, 'run this again later; if it persists, ask the provider');
    } else yield well(`Service: ${kind} works, ${took}: ${result}`);
  } catch (error) {
    const failure = isFailure(error) ? error : undefined;
    const code = failure?.code === undefined ? '' : `, code ${failure.code}`;
    const text = `Service: ${kind} failed (${failure?.kind ?? errorCode(error)}${code})`;
    yield wrong(
      text,
      remedies(kind)[failure?.kind ?? 'unavailable'] ?? 'try again later; if it persists, ask the provider',
    );
  }
}
