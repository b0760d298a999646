/** A Bot API of the few methods that the bots use, with a set time for every answer. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { bodyOf, sendJson, serve } from './http.ts';

/** A call that somebody sees. */
export interface Sent {
  readonly method: string;
  /** The chat, or the inline query. */
  readonly where: string;
  /** Text, caption, or inline results. */
  readonly words: string;
  readonly messageId: number;
  readonly file: Buffer | undefined;
  /** The id of a file that Telegram has already. */
  readonly fileId: string | undefined;
  /** ms of the monotonic clock at which all of it was here. */
  readonly at: number;
}

export interface LightTelegram {
  readonly url: string;
  /** Gets what a bot sends; returns the file id under which a voice note is known from now on. */
  onSent: (sent: Sent) => string | undefined;
  /** Delivers an update at once, by the poll that waits; a message without an id gets one. Returns that id. */
  deliver(content: object, kind?: 'message' | 'edited_message' | 'callback_query' | 'inline_query'): number;
  /** Holds a file until it is downloaded. */
  hold(id: string, file: Buffer): void;
  /** Resolves with the first getUpdates that waits, in ms of the monotonic clock. */
  readonly polled: Promise<number>;
  /** Updates that no bot has confirmed. */
  waiting(): number;
  /** Calls so far, other than getUpdates. */
  calls(): number;
  /** ms of the monotonic clock at which the last of these came. */
  lastCallAt(): number;
  close(): Promise<void>;
}

export const BOT_TOKEN = '123456789:AAbenchbenchbenchbenchbenchbenchbench';
export const BOT = { id: 123_456_789, is_bot: true, first_name: 'Bench', username: 'bench_bot' };
const BATCH = 100;

/** One sequence for all Telegrams here: a bot that returns to its database knows the earlier ids. */
let nextUpdate = 1;
let nextMessage = 1;

/** Whether a message only says that an answer takes its time: it has a button to cancel that. */
function isProgress({ reply_markup }: Record<string, unknown>): boolean {
  return (JSON.stringify(reply_markup) ?? '').includes('cancel:');
}

/** Serves on a free port, for one bot; answers everything but getUpdates after `answerMs`. */
export async function startLightTelegram(answerMs: number): Promise<LightTelegram> {
  const files = new Map<string, Buffer>();
  let updates: { update_id: number }[] = [];
  let poll: { response: ServerResponse; timer: NodeJS.Timeout } | undefined;
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
    const offset = Number(fields.offset ?? 0);
    const seconds = Number(fields.timeout ?? 0);
    polled.resolve(performance.now());
    updates = updates.filter(({ update_id }) => update_id >= offset);
    poll = { response, timer: setTimeout(answerPoll, seconds * 1000) };
    response.once('close', () => {
      if (poll?.response !== response) return;
      clearTimeout(poll.timer);
      poll = undefined;
    });
    if (updates.length > 0) answerPoll();
  };

  const result = (
    method: string,
    fields: Record<string, unknown>,
    { file, at }: { file: Buffer | undefined; at: number },
  ): unknown => {
    if (method === 'getMe') return BOT;
    if (method === 'getFile') {
      const id = String(fields.file_id);
      return { file_id: id, file_unique_id: id, file_path: id, file_size: files.get(id)?.length };
    }
    const isInline = method === 'answerInlineQuery';
    if (!isInline && !/^(?:send(?!ChatAction)|editMessageText)/.test(method)) return true;
    const voice =
      typeof fields.voice === 'string' && !fields.voice.startsWith('attach:') ? fields.voice : undefined;
    const messageId = Number(fields.message_id ?? 1_000_000 + nextMessage++);
    const sent = {
      method,
      where: String(isInline ? fields.inline_query_id : fields.chat_id),
      words: String(isInline ? JSON.stringify(fields.results) : (fields.text ?? fields.caption ?? '')),
      messageId,
      file,
      fileId: file === undefined ? voice : undefined,
      at,
    };
    const fileId = isProgress(fields) ? undefined : telegram.onSent(sent);
    if (isInline) return true;
    const chat = { id: Number(fields.chat_id), type: 'private', first_name: 'P' };
    const message = { message_id: messageId, date: 0, chat, from: BOT };
    if (method !== 'sendVoice') return { ...message, text: fields.text };
    const id = fileId ?? 'voice';
    return { ...message, voice: { file_id: id, file_unique_id: id, duration: Number(fields.duration ?? 0) } };
  };

  const call = async (method: string, request: IncomingMessage, response: ServerResponse, url: URL) => {
    const body = await bodyOf(request);
    const at = performance.now();
    const { fields, file } = await formIn(request.headers['content-type'] ?? '', body);
    if (method === 'getUpdates')
      return getUpdates({ ...Object.fromEntries(url.searchParams), ...fields }, response);
    calls += 1;
    lastCallAt = at;
    const answer = {
      ok: true,
      result: result(method, { ...Object.fromEntries(url.searchParams), ...fields }, { file, at }),
    };
    if (answerMs > 0) await delay(answerMs);
    sendJson(response, answer);
  };

  const server = await serve(async (request, response, url) => {
    const [, first = '', second = '', third = ''] = url.pathname.split('/');
    if (first !== 'file') return call(second, request, response, url);
    if (second !== `bot${BOT_TOKEN}`) throw new Error('another bot’s file');
    const file = files.get(third);
    files.delete(third);
    response.writeHead(file === undefined ? 404 : 200, { 'content-length': file?.length ?? 0 });
    response.end(file);
  });

  const telegram: LightTelegram = {
    url: server.url,
    onSent: () => undefined,
    deliver: (content, kind = 'message') => {
      const id = nextMessage++;
      const update = kind === 'message' ? { message_id: id, ...content } : content;
      updates.push({ update_id: nextUpdate++, ...{ [kind]: update } });
      answerPoll();
      return id;
    },
    hold: (id, file) => void files.set(id, file),
    polled: polled.promise,
    waiting: () => updates.length,
    calls: () => calls,
    lastCallAt: () => lastCallAt,
    close: async () => {
      answerPoll();
      await server.close();
    },
  };
  return telegram;
}

/** The fields of a call, and its file. */
async function formIn(
  type: string,
  body: Buffer,
): Promise<{ fields: Record<string, unknown>; file: Buffer | undefined }> {
  if (body.length === 0) return { fields: {}, file: undefined };
  if (!type.startsWith('multipart/')) return { fields: JSON.parse(body.toString()), file: undefined };
  const fields: Record<string, unknown> = {};
  let file: Buffer | undefined;
  for (const [name, value] of await new Response(body, { headers: { 'content-type': type } }).formData()) {
    if (typeof value === 'string') fields[name] = value;
    else file = Buffer.from(await value.arrayBuffer());
  }
  return { fields, file };
}
