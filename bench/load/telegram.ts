/** A Bot API of the few methods that the bots use, with a set time for every answer. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { bodyOf, sendJson, serve } from './http.ts';
import { readMultipart } from './multipart.ts';

/** A call that sends something to a chat. */
export interface Sent {
  readonly method: string;
  readonly chat: number;
  /** Text or caption. */
  readonly words: string;
  readonly file: Buffer | undefined;
  /** The id of a file that Telegram has already. */
  readonly fileId: string | undefined;
  /** ms of the monotonic clock at which all of it was here. */
  readonly at: number;
}

export interface LightTelegram {
  readonly url: string;
  /** Delivers a message at once, by the poll that waits. */
  deliver(message: object): void;
  /** Holds a file for `getFile`. */
  hold(id: string, file: () => Buffer): void;
  /** Resolves with the first getUpdates, in ms of the monotonic clock. */
  readonly polled: Promise<number>;
  /** Calls so far, other than getUpdates. */
  calls(): number;
  /** ms of the monotonic clock at which the last of these came. */
  lastCallAt(): number;
  close(): Promise<void>;
}

export interface LightTelegramOptions {
  /** Before every answer but that to getUpdates, in ms. */
  readonly answerMs: number;
  /** Returns the file id under which a voice note that came is known from now on. */
  readonly onSent: (sent: Sent) => string | undefined;
}

export const BOT_TOKEN = '123456789:AAbenchbenchbenchbenchbenchbenchbench';
const ME = { id: 123_456_789, is_bot: true, first_name: 'Bench', username: 'bench_bot' };
const BATCH = 100;

/** One sequence for all Telegrams here: a bot that returns to its database knows the earlier ids. */
let nextUpdate = 1;
let nextMessage = 1;

/** Whether a message only says that an answer takes its time: it has a button to cancel that. */
function isProgress({ reply_markup }: Record<string, unknown>): boolean {
  return (JSON.stringify(reply_markup) ?? '').includes('cancel:');
}

/** Serves on a free port, for one bot. */
export async function startLightTelegram({ answerMs, onSent }: LightTelegramOptions): Promise<LightTelegram> {
  const files = new Map<string, () => Buffer>();
  let updates: { update_id: number; message: object }[] = [];
  let poll: { offset: number; response: ServerResponse; timer: NodeJS.Timeout } | undefined;
  let calls = 0;
  let lastCallAt = performance.now();
  const polled = Promise.withResolvers<number>();

  const answerPoll = (): void => {
    if (poll === undefined) return;
    const { response, timer } = poll;
    clearTimeout(timer);
    poll = undefined;
    sendJson(response, { ok: true, result: updates.slice(0, BATCH) });
  };

  const getUpdates = (fields: Record<string, unknown>, response: ServerResponse): void => {
    polled.resolve(performance.now());
    const offset = Number(fields.offset ?? 0);
    updates = updates.filter(({ update_id }) => update_id >= offset);
    poll = { offset, response, timer: setTimeout(answerPoll, Number(fields.timeout ?? 0) * 1000) };
    response.once('close', () => {
      if (poll?.response !== response) return;
      clearTimeout(poll.timer);
      poll = undefined;
    });
    if (updates.length > 0) answerPoll();
  };

  const result = (method: string, fields: Record<string, unknown>, file: Buffer | undefined): unknown => {
    if (method === 'getMe') return ME;
    if (method === 'getFile') {
      const id = String(fields.file_id);
      return { file_id: id, file_unique_id: id, file_path: id, file_size: files.get(id)?.().length };
    }
    if (!/^send(?!ChatAction)/.test(method)) return true;
    const voice =
      typeof fields.voice === 'string' && !fields.voice.startsWith('attach:') ? fields.voice : undefined;
    const sent = {
      method,
      chat: Number(fields.chat_id),
      words: String(fields.text ?? fields.caption ?? ''),
      file,
      fileId: file === undefined ? voice : undefined,
      at: performance.now(),
    };
    const fileId = isProgress(fields) ? undefined : onSent(sent);
    const chat = { id: Number(fields.chat_id), type: 'private', first_name: 'P' };
    const message = { message_id: 1_000_000 + nextMessage++, date: 0, chat, from: ME };
    if (method !== 'sendVoice') return { ...message, text: fields.text };
    const id = fileId ?? 'voice';
    return { ...message, voice: { file_id: id, file_unique_id: id, duration: Number(fields.duration ?? 0) } };
  };

  const call = async (method: string, request: IncomingMessage, response: ServerResponse, url: URL) => {
    const body = await bodyOf(request);
    const type = request.headers['content-type'] ?? '';
    const { fields, file } = type.startsWith('multipart/')
      ? readMultipart(type, body)
      : { fields: { ...Object.fromEntries(url.searchParams), ...fieldsIn(body) }, file: undefined };
    if (method === 'getUpdates') return getUpdates(fields, response);
    calls += 1;
    lastCallAt = performance.now();
    const answer = { ok: true, result: result(method, fields, file) };
    if (answerMs > 0) await delay(answerMs);
    sendJson(response, answer);
  };

  const server = await serve(async (request, response, url) => {
    const [, first = '', second = '', third = ''] = url.pathname.split('/');
    if (first !== 'file') return call(second, request, response, url);
    if (second !== `bot${BOT_TOKEN}`) throw new Error('another bot’s file');
    const file = files.get(third)?.();
    response.writeHead(file === undefined ? 404 : 200, { 'content-length': file?.length ?? 0 });
    response.end(file);
  });

  return {
    url: server.url,
    deliver: (message) => {
      updates.push({ update_id: nextUpdate++, message: { message_id: nextMessage++, ...message } });
      answerPoll();
    },
    hold: (id, file) => void files.set(id, file),
    polled: polled.promise,
    calls: () => calls,
    lastCallAt: () => lastCallAt,
    close: async () => {
      answerPoll();
      await server.close();
    },
  };
}

function fieldsIn(body: Buffer): Record<string, unknown> {
  if (body.length === 0) return {};
  const parsed: unknown = JSON.parse(body.toString());
  return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {};
}
