/** The paid service as service-interface.md describes it, with set times for every answer. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { markIn, translationOf } from '../marks.ts';
import { bodyOf, sendJson, serve } from './http.ts';
import { HEAD_BYTES, markInPicture } from './picture.ts';
import type { Voice } from './sound.ts';

export interface ServiceTimes {
  readonly translationMs: number;
  readonly recognitionMs: number;
  /** Until the first byte of speech. */
  readonly firstSoundMs: number;
  /** How much faster speech comes than it plays. */
  readonly speed: number;
}

export const USUAL_TIMES: ServiceTimes = {
  translationMs: 150,
  recognitionMs: 400,
  firstSoundMs: 200,
  speed: 20,
};

/** One paid call, in ms of the monotonic clock: when its last byte came, and when its answer's last byte left. */
export interface PaidCall {
  readonly receivedAt: number;
  readonly answeredAt: number;
}

export interface LightService {
  readonly url: string;
  /** Nothing at first. */
  expects: Expected;
  /** Translations wait for this. */
  mayAnswer: Promise<unknown>;
  /** The last paid call for a mark. */
  call(mark: number): PaidCall | undefined;
  /** Paid calls in all, also those that made no sense. */
  paid(): number;
  /** Calls that made no sense: a picture cut off, a text without a mark. */
  wrong(): number;
  close(): Promise<void>;
}

/** What it is asked for. */
export interface Expected {
  readonly speechMs: (mark: number) => number;
  /** Size of the picture with this mark, in bytes. */
  readonly pictureBytes: (mark: number) => number;
}

/** How often a piece of sound goes out, in ms. */
const BEAT_MS = 20;
const PERCENT = 0x25;

/** Serves on a free port. */
export async function startLightService(voice: Voice, times: ServiceTimes): Promise<LightService> {
  const calls = new Map<number, PaidCall>();
  let paid = 0;
  let wrong = 0;

  const settled = (mark: number | undefined, receivedAt: number, makesSense: boolean): void => {
    paid += 1;
    if (!makesSense || mark === undefined) wrong += 1;
    if (mark !== undefined) calls.set(mark, { receivedAt, answeredAt: performance.now() });
  };

  const recognition = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { mark, bytes } = await pictureIn(request);
    const receivedAt = performance.now();
    await delay(times.recognitionMs);
    const words = [{ words: translationOf(mark ?? 0) }];
    settled(mark, receivedAt, mark !== undefined && bytes === service.expects.pictureBytes(mark));
    sendJson(response, { log_id: 1, words_result_num: 1, paragraphs_result_num: 0, words_result: words });
  };

  const translation = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const mark = await markInJson(request);
    const receivedAt = performance.now();
    await Promise.all([delay(times.translationMs), service.mayAnswer]);
    settled(mark, receivedAt, true);
    sendJson(response, { traceId: 't', msgId: '2000000', msg: 'success', data: translationOf(mark ?? 0) });
  };

  const speech = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const mark = await markInJson(request);
    const receivedAt = performance.now();
    const pcm = voice(service.expects.speechMs(mark ?? 0));
    await delay(times.firstSoundMs);
    response.writeHead(200, { 'content-type': 'application/octet-stream' });
    const startedAt = performance.now();
    const bytesPerMs = 32 * times.speed;
    for (let sent = 0; sent < pcm.length; ) {
      const due = Math.floor((performance.now() - startedAt + BEAT_MS) * bytesPerMs);
      response.write(pcm.subarray(sent, due));
      sent = due;
      if (sent < pcm.length) await delay(BEAT_MS);
    }
    settled(mark, receivedAt, true);
    response.end();
  };

  const server = await serve(async (request, response, { pathname }) => {
    if (pathname.endsWith('/oauth/token')) {
      request.resume();
      return sendJson(response, { access_token: 'header.payload.signature', expires: 2_592_000 });
    }
    if (pathname.endsWith('/ocr/general')) return recognition(request, response);
    if (pathname.endsWith('/translation')) return translation(request, response);
    return speech(request, response);
  });

  const service: LightService = {
    url: server.url,
    expects: { speechMs: () => 0, pictureBytes: () => 0 },
    mayAnswer: Promise.resolve(),
    call: (mark) => calls.get(mark),
    paid: () => paid,
    wrong: () => wrong,
    close: server.close,
  };
  return service;
}

async function markInJson(request: IncomingMessage): Promise<number | undefined> {
  return markIn((await bodyOf(request)).toString());
}

/** The mark and the size of an urlencoded picture, read as it comes, without keeping its 10 MB. */
async function pictureIn(request: IncomingMessage): Promise<{ mark: number | undefined; bytes: number }> {
  let head = '';
  let tail = '';
  let length = 0;
  for await (const chunk of request) {
    const bytes: Buffer = chunk;
    if (head.length < 4 * HEAD_BYTES) head += bytes.toString('latin1', 0, 4 * HEAD_BYTES);
    tail = (tail + bytes.toString('latin1', Math.max(0, bytes.length - 64))).slice(-64);
    // An escaped character takes three bytes.
    length += bytes.length - 2 * countOf(PERCENT, bytes);
  }
  const rest = /(?:&\w+=\w*)*$/.exec(tail)?.[0] ?? '';
  const padding = (/(?:%3D)*$/i.exec(tail.slice(0, tail.length - rest.length))?.[0].length ?? 0) / 3;
  const base64 = length - 'image='.length - rest.length;
  const start = decodeURIComponent(/^image=((?:[^%&]|%[\dA-F]{2})*)/i.exec(head)?.[1] ?? '');
  return {
    mark: markInPicture(Buffer.from(start, 'base64')),
    bytes: (base64 / 4) * 3 - padding,
  };
}

function countOf(byte: number, bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(byte); at >= 0; at = bytes.indexOf(byte, at + 1)) count += 1;
  return count;
}
