/** The client of the paid service: recognition, translation and speech, within its limits, each call metered. */
import { z } from 'zod';
import type { Provider, ProviderCall, SpeechRequest, TranslationRequest } from '../interpreter/provider.ts';
import { inIdeographs } from '../language/ideographs.ts';
import { isVisible, type Language } from '../language/script.ts';
import { codePointLength } from '../language/split.ts';
import type { CallKind } from '../paid-calls.ts';
import { Circuit, type CircuitReport } from './calls/circuit.ts';
import type { OnEvent, SpeechEnding } from './calls/events.ts';
import { ServiceFailure } from './calls/failure.ts';
import { PaidCalls, type Sent } from './calls/paid-call.ts';
import { formBody, Http, type HttpAnswer } from './http/http.ts';
import {
  checkRecognition,
  type FullRecognitionRequest,
  PICTURE_LIMITS,
  type RecognitionResult,
  recognitionAnswer,
  recognitionFields,
} from './recognition.ts';
import { code, id, readResult, SUCCESS } from './response.ts';
import { openSpeech, speechBody } from './speech.ts';
import { fingerprintOf, type TokenStore, Tokens } from './token.ts';

interface ServiceConfig {
  /** `{auth_url}` and `{base_url}` of the interface, without a trailing slash. */
  readonly authUrl: string;
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly secretKey: string;
  readonly xSecret: string;
  /** Longest silence of the service before a call is given up, in ms. */
  readonly timeoutMs: number;
  /** Maximum of tries in flight. */
  readonly concurrency: number;
}

export interface ServiceOptions {
  readonly config: ServiceConfig;
  readonly tokenStore: TokenStore;
  /** ms since the epoch */
  readonly now?: () => number;
  readonly onEvent?: OnEvent;
}

/** The price of a call, in fen (service-interface §8: 0.4 yuan). */
export const PRICES: Readonly<Record<CallKind, number>> = { recognition: 40, translation: 40, speech: 40 };

/** The longest text of one call (service-interface §8), in code points. */
const MAX_TEXT_LENGTH = 3000;

/** Connects, and loads or requests its token, when first needed. */
export class Service implements Provider {
  readonly maxTextLength = MAX_TEXT_LENGTH;
  readonly pictureLimits = PICTURE_LIMITS;
  readonly prices = PRICES;
  /** Recognition uses the token; the other two share the X-Secret (service-interface §5). */
  readonly credentials = { recognition: 'token', translation: 'x-secret', speech: 'x-secret' };
  readonly fingerprint: string;
  readonly #config: ServiceConfig;
  /** No failure may repeat them. */
  readonly #secrets: readonly string[];
  readonly #onEvent: OnEvent;
  readonly #closing = new AbortController();
  readonly #http: Http;
  readonly #tokens: Tokens;
  readonly #calls: PaidCalls;
  /** Guards the token and recognition. */
  readonly #authCircuit: Circuit;
  /** Guards translation and speech. */
  readonly #baseCircuit: Circuit;

  constructor({ config, tokenStore, now = Date.now, onEvent = () => {} }: ServiceOptions) {
    const { apiKey, secretKey, xSecret, timeoutMs, concurrency } = config;
    this.#config = config;
    this.#secrets = [apiKey, secretKey, xSecret];
    this.#onEvent = onEvent;
    this.fingerprint = fingerprintOf(config);
    this.#http = new Http(timeoutMs);
    this.#tokens = new Tokens({ now, onEvent, config, http: this.#http, store: tokenStore });
    this.#calls = new PaidCalls({ closing: this.#closing.signal, onEvent, concurrency });
    this.#authCircuit = new Circuit((report) => onEvent({ type: 'circuit', host: 'auth', ...report }));
    this.#baseCircuit = new Circuit((report) => onEvent({ type: 'circuit', host: 'base', ...report }));
  }

  /** See service-interface §4.2. */
  async recognise(request: FullRecognitionRequest, call: ProviderCall): Promise<RecognitionResult> {
    checkRecognition(request);
    const body = await formBody(recognitionFields(request));
    const url = new URL(`${this.#config.authUrl}/api/v1/ocr/general`);
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    let token = '';
    return this.#calls.make({
      ...call,
      kind: 'recognition',
      characters: 0,
      circuit: this.#authCircuit,
      prepare: async (signal) => {
        token = await this.#tokens.get(signal);
      },
      send: async () => {
        url.searchParams.set('access_token', token);
        const answer = await this.#http.post({ url, headers, body });
        const result = await readResult(answer, recognitionAnswer, [...this.#secrets, token]).catch(
          (error) => {
            if (error instanceof ServiceFailure && error.refusedToken) this.#tokens.reject(token);
            throw error;
          },
        );
        return { result, traceId: result.logId };
      },
    });
  }

  /** Takes up to 3000 code points (service-interface §4.3). */
  translate({ text, from, to }: TranslationRequest, call: ProviderCall): Promise<{ text: string }> {
    const body = { sourceLang: LANGUAGE_CODE[from], destLang: LANGUAGE_CODE[to], inputText: text };
    return this.#callWithText('translation', 'translation', body, call, async (answer, confidential) => {
      const { data, traceId } = await readResult(answer, translationAnswer, confidential);
      return { result: { text: data }, traceId };
    });
  }

  /** Takes up to 3000 code points (service-interface §4.4). The call keeps its place in line until the stream ends. */
  speak(request: SpeechRequest, call: ProviderCall): Promise<AsyncIterable<Buffer>> {
    const onEnd = (outcome: SpeechEnding) => this.#onEvent({ type: 'speech-ended', outcome });
    return this.#callWithText('speech', 'tts/stream', speechBody(request), call, (answer, confidential) =>
      openSpeech(answer, confidential, onEnd),
    );
  }

  state(): CircuitReport {
    const reports = [this.#authCircuit.report(), this.#baseCircuit.report()] as const;
    return reports.find(({ state }) => state === 'down') ?? reports[0];
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#http.close();
    await this.#calls.settled();
  }

  /** Sends the X-Secret (service-interface §5). Throws `too-long` beyond 3000 code points. `read` must not repeat what is confidential. */
  async #callWithText<T>(
    kind: CallKind,
    path: string,
    body: { readonly inputText: string },
    call: ProviderCall,
    read: (answer: HttpAnswer, confidential: readonly string[]) => Promise<Sent<T>>,
  ): Promise<T> {
    const { baseUrl, xSecret } = this.#config;
    const inputText = inIdeographs(body.inputText);
    const characters = codePointLength(inputText);
    if (characters > MAX_TEXT_LENGTH) throw new ServiceFailure('too-long', 'not sent: the text is too long');
    const request = {
      url: new URL(`${baseUrl}/api/cognitive/${path}`),
      headers: { 'content-type': 'application/json', 'x-secret': xSecret },
      body: JSON.stringify({ ...body, inputText }),
    };
    const confidential = [...this.#secrets, inputText];
    const send = async () => read(await this.#http.post(request), confidential);
    return this.#calls.make({ ...call, kind, characters, circuit: this.#baseCircuit, send });
  }
}

/** The wire of translation (service-interface §4.3). */
const LANGUAGE_CODE: Readonly<Record<Language, number>> = { tibetan: 0, chinese: 1 };

/** A successful envelope. A translation without a visible character counts as a failure: the person would see nothing. */
const translationAnswer = z.object({
  msgId: code.pipe(z.literal(SUCCESS)),
  data: z.string().refine(isVisible),
  traceId: id,
});
