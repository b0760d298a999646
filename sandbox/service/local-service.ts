/** A strict local copy of the paid service (service-interface.md), with real engines and with faults on demand. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { listen } from '../http.ts';
import { type CallHandler, createCallHandler } from './call-handler.ts';
import { CallLog, type ServiceCall } from './call-log.ts';
import type { Engines } from './engines.ts';
import { ServiceFaults } from './faults.ts';
import { createRecognitionEndpoint, type Spelling } from './recognition-endpoint.ts';
import { createRecognitionEngine } from './recognition-engine.ts';
import { createSpeechEndpoint } from './speech-endpoint.ts';
import { createSpeechEngine } from './speech-engine.ts';
import { createTokenEndpoint } from './token-endpoint.ts';
import { Tokens } from './tokens.ts';
import { createTranslationEndpoint } from './translation-endpoint.ts';
import { translateByPhrasebook } from './translation-engine.ts';

/** service-interface §2.1. */
const TOKEN_LIFETIME_MS = 30 * 24 * 60 * 60 * 1000;

const CREDENTIALS = {
  apiKey: 'sandbox-api-key',
  secretKey: 'sandbox-secret-key',
  xSecret: 'sandbox-x-secret',
};

export interface LocalServiceOptions {
  readonly tokenLifetimeMs?: number;
  /** Engines in the place of the real ones. */
  readonly engines?: Partial<Engines>;
}

export type LocalService = Awaited<ReturnType<typeof startLocalService>>;

/** Starts the service on a free port of the loopback. */
export async function startLocalService(options: LocalServiceOptions = {}) {
  const { tokenLifetimeMs = TOKEN_LIFETIME_MS } = options;
  const { xSecret } = CREDENTIALS;
  const listeners = new Set<() => void>();
  const changed = () => {
    for (const listener of listeners) listener();
  };
  // The real ones, each started by its first use.
  const recognition = createRecognitionEngine();
  const speech = createSpeechEngine();
  const engines: Engines = {
    recognise: recognition.recognise,
    translate: async (text, from) => translateByPhrasebook(text, from),
    speak: speech.speak,
    ...options.engines,
  };
  const spelling: Spelling = { locations: false, paragraphsUnasked: false };
  const tokens = new Tokens();
  const log = new CallLog(changed);
  const calls: readonly ServiceCall[] = log.calls;
  const faults = new ServiceFaults(changed);

  const endpoints = [
    createTokenEndpoint(CREDENTIALS, tokens, tokenLifetimeMs),
    createRecognitionEndpoint(engines.recognise, tokens, spelling),
    createTranslationEndpoint(engines.translate, xSecret),
    createSpeechEndpoint(engines.speak, xSecret),
  ];
  const handlers = new Map<string, CallHandler>();
  for (const endpoint of endpoints) {
    handlers.set(endpoint.path, createCallHandler(endpoint, { log, faults, tokens }));
  }
  const server = await listen(0, (request, response) => void route(handlers, request, response));

  return {
    /** Both `{auth_url}` and `{base_url}`. */
    url: server.root,
    credentials: CREDENTIALS,
    /** Every request to one of the four endpoints, in order of arrival. */
    calls,
    faults,
    /** May be changed at any time. */
    spelling,
    /** Charged calls: those whose work was done, also where the caller hung up before the end. */
    paid: () => log.paid(),
    /** Calls the listener after every change of a call or a fault; the function given back ends that. */
    onChange(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      await Promise.all([server.close(), recognition.close(), speech.close()]);
    },
  };
}

async function route(
  handlers: ReadonlyMap<string, CallHandler>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = URL.parse(request.url ?? '/', 'http://service.invalid');
  const handler = url === null ? undefined : handlers.get(url.pathname);
  if (url === null || handler === undefined) response.writeHead(404).end();
  else if (request.method !== 'POST') response.writeHead(405, { allow: 'POST' }).end();
  else await handler(request, response, url.searchParams);
}
