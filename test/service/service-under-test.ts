/** The client in front of a scripted server, with a meter that keeps what it was told. */
import { onTestFinished } from 'vitest';
import type { ProviderCall } from '../../src/interpreter/provider.ts';
import type { CallKind, CallOutcome } from '../../src/paid-calls.ts';
import type { ServiceEvent } from '../../src/service/calls/events.ts';
import type { Meter } from '../../src/service/calls/paid-call.ts';
import { Service, type ServiceOptions } from '../../src/service/client.ts';
import type { StoredToken, TokenStore } from '../../src/service/token.ts';
import { json, raw, type ScriptedServer, type Step, startScriptedServer } from './scripted-server.ts';

export const TOKEN = '/api/v1/oauth/token';
export const OCR = '/api/v1/ocr/general';
export const TRANSLATE = '/api/cognitive/translation';
export const SPEAK = '/api/cognitive/tts/stream';

export const SECRETS = { apiKey: 'api-key-Ωß&=', secretKey: 'secret-key-%+ /', xSecret: 'x-secret-value' };

export const tokenAnswer = json({ access_token: 'aaa.bbb.ccc', expires: 2_592_000 });
export const translated = json({ traceId: 't-1', msgId: '2000000', msg: 'success', data: '你好' });
export const recognised = json({ logId: 1, words_result_num: 1, words_result: [{ words: 'བོད་' }] });

export const PCM = Buffer.from([0, 1, 2, 3]);
export const KINDS = ['recognition', 'translation', 'speech'] as const;
export const PATHS = { recognition: OCR, translation: TRANSLATE, speech: SPEAK };
export const ANSWERS = { recognition: recognised, translation: translated, speech: raw(PCM) };

/** Makes a call of this kind, with the meter of the test, and listens to speech to its end. */
export async function call(
  { service, meter }: UnderTest,
  kind: CallKind,
  more: Partial<ProviderCall> & { text?: string } = {},
) {
  const { text = 'ཀ', ...changes } = more;
  const made = { meter, ...changes };
  if (kind === 'recognition') return service.recognise({ input: { image } }, made);
  if (kind === 'translation') return service.translate({ text, from: 'tibetan', to: 'chinese' }, made);
  return Buffer.concat(await Array.fromAsync(await service.speak({ text, variety: 'amdo' }, made)));
}

/** A meter that writes down every begin and settle. */
export function createTestMeter() {
  const entries: { kind: CallKind; characters: number; outcomes: CallOutcome[] }[] = [];
  const meter: Meter = {
    async begin({ kind, characters }) {
      const entry = { kind, characters, outcomes: [] as CallOutcome[] };
      entries.push(entry);
      return async (outcome) => {
        entry.outcomes.push(outcome);
      };
    },
  };
  return {
    meter,
    entries,
    /** The outcome of each try; a try that was settled never or twice shows as what it is. */
    outcomes: () => entries.map(({ outcomes }) => outcomes.join('+') || 'unsettled'),
  };
}

/** A token store in memory. */
export function createMemoryStore(kept?: StoredToken): TokenStore & { kept: StoredToken | undefined } {
  return {
    kept,
    async load() {
      return this.kept;
    },
    async save(token) {
      this.kept = token;
    },
  };
}

export interface UnderTest {
  readonly service: Service;
  readonly server: ScriptedServer;
  readonly meter: Meter;
  readonly entries: ReturnType<typeof createTestMeter>['entries'];
  readonly outcomes: () => string[];
  readonly events: ServiceEvent[];
}

export interface UnderTestOptions extends Partial<Omit<ServiceOptions, 'config'>> {
  readonly timeoutMs?: number;
  readonly concurrency?: number;
  readonly secrets?: typeof SECRETS;
}

/** The client in front of a server that follows `script`; tokens are issued unless the script says otherwise. */
export async function underTest(
  script: Readonly<Record<string, readonly Step[]>>,
  { timeoutMs = 10_000, concurrency = 16, secrets = SECRETS, ...options }: UnderTestOptions = {},
): Promise<UnderTest> {
  const server = await startScriptedServer({ [TOKEN]: [tokenAnswer], ...script });
  const events: ServiceEvent[] = [];
  const service = new Service({
    config: { authUrl: server.url, baseUrl: server.url, ...secrets, timeoutMs, concurrency },
    tokenStore: createMemoryStore(),
    onEvent: (event) => events.push(event),
    ...options,
  });
  onTestFinished(async () => {
    await service.close();
    await server.close();
  });
  return { service, server, ...createTestMeter(), events };
}

/** The smallest image within the limits, by its bytes and stated sides. */
export const image = {
  bytes: Buffer.from([0xff, 0xd8, 0xff, 0xe0]),
  width: 15,
  height: 8192,
} as const;

/** The error that `promise` rejects with. */
export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    (value) => {
      throw new Error(`expected a failure, got ${JSON.stringify(value)}`);
    },
    (error: unknown) => error,
  );
}
