/** A Telegram and a paid service in one, as light as they can be: what is measured is the bot. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import sharp from 'sharp';
import { bodyOf, sendJson, serve } from '../load/http.ts';
import { readMultipart } from '../load/multipart.ts';
import { markIn, translationOf } from '../marks.ts';

/** A call of the bot that somebody sees. */
export interface Seen {
  readonly method: string;
  /** A chat, or an inline query. */
  readonly where: string;
  readonly words: string;
  readonly messageId: number;
}

export interface SoakWorld {
  readonly url: string;
  readonly token: string;
  /** Resolves once the bot waits for updates: what came before that is late for an inline query. */
  readonly polled: Promise<void>;
  /** Delivers an update by the next poll. */
  deliver(update: object): void;
  close(): Promise<void>;
}

const TOKEN = '123456789:AAsoaksoaksoaksoaksoaksoaksoaksoaks';
const ME = { id: 123_456_789, is_bot: true, first_name: 'Soak', username: 'soak_bot' };
const BATCH = 100;
const TIMES = { translationMs: 20, recognitionMs: 50, speechMs: 50 };
/** Two seconds of PCM that is no text. */
const SPEECH = Buffer.alloc(2 * 32_000, Buffer.from([0, 1, 255, 3]));

/** `files` returns the content of a file id; `onSeen` gets every call that a person sees. */
export async function startSoakWorld(
  files: (id: string) => Promise<Buffer>,
  onSeen: (seen: Seen) => void,
): Promise<SoakWorld> {
  let updates: { update_id: number }[] = [];
  let nextUpdate = 1;
  let nextMessage = 1_000_000;
  const polled = Promise.withResolvers<void>();
  let poll: { response: ServerResponse; timer: NodeJS.Timeout } | undefined;

  const answerPoll = (): void => {
    if (poll === undefined) return;
    clearTimeout(poll.timer);
    sendJson(poll.response, { ok: true, result: updates.slice(0, BATCH) });
    poll = undefined;
  };

  const getUpdates = (fields: Record<string, unknown>, response: ServerResponse): void => {
    updates = updates.filter(({ update_id }) => update_id >= Number(fields.offset ?? 0));
    const seconds = Number(fields.timeout ?? 0);
    if (seconds > 0) polled.resolve();
    poll = { response, timer: setTimeout(answerPoll, seconds * 1000) };
    if (updates.length > 0) answerPoll();
  };

  const telegram = async (method: string, request: IncomingMessage, response: ServerResponse) => {
    const body = await bodyOf(request);
    const type = request.headers['content-type'] ?? '';
    const fields: Record<string, unknown> = type.startsWith('multipart/')
      ? readMultipart(type, body).fields
      : body.length === 0
        ? {}
        : JSON.parse(body.toString());
    if (method === 'getUpdates') return getUpdates(fields, response);
    sendJson(response, { ok: true, result: resultOf(method, fields) });
  };

  const resultOf = (method: string, fields: Record<string, unknown>): unknown => {
    if (method === 'getMe') return ME;
    if (method === 'getFile') return { file_id: fields.file_id, file_path: `photos/${fields.file_id}` };
    const isInline = method === 'answerInlineQuery';
    if (!isInline && !/^(?:send(?!ChatAction)|editMessageText)/.test(method)) return true;
    const messageId = Number(fields.message_id ?? nextMessage++);
    const words = String(isInline ? JSON.stringify(fields.results) : (fields.text ?? fields.caption ?? ''));
    onSeen({ method, where: String(isInline ? fields.inline_query_id : fields.chat_id), words, messageId });
    const file = { file_id: `voice-${messageId}`, file_unique_id: `voice-${messageId}`, duration: 2 };
    const chat = { id: Number(fields.chat_id), type: 'private' };
    return isInline || { message_id: messageId, date: 0, chat, text: words, voice: file };
  };

  const service = async (path: string, request: IncomingMessage, response: ServerResponse) => {
    const body = (await bodyOf(request)).toString();
    if (path.endsWith('/oauth/token'))
      return sendJson(response, { access_token: 'soak', expires: 2_592_000 });
    if (path.endsWith('/ocr/general')) {
      await delay(TIMES.recognitionMs);
      const { width, height } = await sharp(
        Buffer.from(new URLSearchParams(body).get('image') ?? '', 'base64'),
      ).metadata();
      const words_result = [{ words: translationOf(markOfSize(width, height)) }];
      return sendJson(response, { log_id: 1, words_result_num: 1, words_result });
    }
    if (path.endsWith('/translation')) {
      await delay(TIMES.translationMs);
      const data = translationOf(markIn(body) ?? 0);
      return sendJson(response, { traceId: 't', msgId: '2000000', msg: 'success', data });
    }
    await delay(TIMES.speechMs);
    response.writeHead(200, { 'content-type': 'application/octet-stream' });
    response.end(SPEECH);
  };

  const server = await serve(async (request, response, { pathname }) => {
    const [, first = '', second = '', third = '', fourth = ''] = pathname.split('/');
    if (first === `bot${TOKEN}`) return telegram(second, request, response);
    if (first !== 'file') return service(pathname, request, response);
    if (second !== `bot${TOKEN}` || third !== 'photos') throw new Error('no such file');
    response.end(await files(fourth));
  });

  return {
    url: server.url,
    token: TOKEN,
    polled: polled.promise,
    deliver: (update) => {
      updates.push({ update_id: nextUpdate++, ...update });
      answerPoll();
    },
    close: async () => {
      answerPoll();
      await server.close();
    },
  };
}

const MIN_SIDE = 100;
const SIDES = 400;

/** A picture whose size in pixels is its mark: that survives being drawn anew. */
export function pictureOf(mark: number, format: 'jpeg' | 'webp'): Promise<Buffer> {
  const width = MIN_SIDE + Math.floor(mark / SIDES);
  const height = MIN_SIDE + (mark % SIDES);
  return sharp({ create: { width, height, channels: 3, background: 'white' } })
    [format]()
    .toBuffer();
}

function markOfSize(width: number, height: number): number {
  return (width - MIN_SIDE) * SIDES + height - MIN_SIDE;
}
