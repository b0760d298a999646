/** How these tests call the local service: plain HTTP, each field open to being wrong. */
import { z } from 'zod';
import {
  type LocalService,
  type LocalServiceOptions,
  startLocalService,
} from '../../service/local-service.ts';
import { createQuickEngines } from '../../service/quick-engines.ts';

const tokenBody = z.object({ access_token: z.string() });

/** A service with the quick engines. */
export function startQuickService(options: LocalServiceOptions = {}): Promise<LocalService> {
  return startLocalService({ engines: createQuickEngines(), ...options });
}

export const rightKeys = {
  grant_type: 'client_credentials',
  client_id: 'sandbox-api-key',
  client_secret: 'sandbox-secret-key',
};

/** With the right keys, unless others are given. */
export function askToken(
  service: LocalService,
  query: Record<string, string> = rightKeys,
  init: RequestInit = {},
): Promise<Response> {
  return fetch(`${service.url}/api/v1/oauth/token?${new URLSearchParams(query)}`, {
    method: 'POST',
    ...init,
  });
}

/** A token that holds. */
export async function freshToken(service: LocalService): Promise<string> {
  return tokenBody.parse(await (await askToken(service)).json()).access_token;
}

/** An urlencoded call for an object of text fields, multipart for a FormData. */
export function askRecognition(
  service: LocalService,
  token: string,
  fields: Record<string, string> | FormData,
  init: RequestInit = {},
): Promise<Response> {
  const body = fields instanceof FormData ? fields : new URLSearchParams(fields);
  const query = new URLSearchParams({ access_token: token });
  return fetch(`${service.url}/api/v1/ocr/general?${query}`, { method: 'POST', body, ...init });
}

export const rightHeaders = { 'content-type': 'application/json', 'x-secret': 'sandbox-x-secret' };

export function askTranslation(service: LocalService, body?: unknown, init?: RequestInit): Promise<Response> {
  const usual = { sourceLang: 1, destLang: 0, inputText: '你好。' };
  return postJson(`${service.url}/api/cognitive/translation`, body ?? usual, init);
}

export function askSpeech(service: LocalService, body?: unknown, init?: RequestInit): Promise<Response> {
  const usual = { lang: 0, vcn: '', inputText: 'བཀྲ་ཤིས་བདེ་ལེགས།' };
  return postJson(`${service.url}/api/cognitive/tts/stream`, body ?? usual, init);
}

function postJson(url: string, body: unknown, init: RequestInit = {}): Promise<Response> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return fetch(url, { method: 'POST', headers: rightHeaders, body: text, ...init });
}

export async function bytesOf(response: Response): Promise<Buffer> {
  return Buffer.from(await response.arrayBuffer());
}

/** Resolves when the condition holds, which is looked at after every change of the service. */
export function until(service: LocalService, condition: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (!condition()) return;
      stop();
      resolve();
    };
    const stop = service.onChange(look);
    look();
  });
}
