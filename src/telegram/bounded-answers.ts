/** Telegram's answers, as large as they may get, and whole: node-fetch, which Telegraf calls with, would take gigabytes into memory. */
import { subscribe } from 'node:diagnostics_channel';
import { Agent, ClientRequest, IncomingMessage } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';

/** Far above a hundred updates with the longest of texts, in bytes. */
const MAX_BYTES = 32 * 1024 * 1024;
const KEEP_ALIVE = { keepAlive: true, keepAliveMsecs: 10_000 };

/**
 * An agent on whose requests a larger answer breaks off with an error. No compression is asked for, and none is taken: some
 * kilobytes of it can become anything.
 */
export function boundedAgent(protocol: string): Agent {
  const agent = protocol === 'https:' ? new HttpsAgent(KEEP_ALIVE) : new Agent(KEEP_ALIVE);
  const isOurs = (request: unknown): request is ClientRequest =>
    request instanceof ClientRequest && Reflect.get(request, 'agent') === agent;

  subscribe('http.client.request.created', (message) => {
    const request: unknown = Reflect.get(Object(message), 'request');
    if (isOurs(request)) request.removeHeader('accept-encoding');
  });
  subscribe('http.client.response.finish', (message) => {
    const request: unknown = Reflect.get(Object(message), 'request');
    const response: unknown = Reflect.get(Object(message), 'response');
    if (!isOurs(request) || !(response instanceof IncomingMessage)) return;
    if (response.headers['content-encoding'] !== undefined) {
      request.destroy(new Error('an answer is compressed, though nobody asked for it'));
      return;
    }
    // Of an answer that the other side ends too early only the response knows; node-fetch, which asks the request, would wait on.
    response.on('error', (error) => request.emit('error', error));
    let bytes = 0;
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > MAX_BYTES) request.destroy(new Error('an answer is too large'));
    });
  });
  return agent;
}
