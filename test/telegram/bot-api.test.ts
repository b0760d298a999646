/** Calls of the Bot API on the wire: what is sent, and that whatever comes back leaves neither a connection nor a secret behind. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { inspect } from 'node:util';
import { TelegramError } from 'telegraf';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BotApi } from '../../src/telegram/api/api.ts';
import { isOutage } from '../../src/telegram/api/api-errors.ts';

const TOKEN = '1000000001:test-token-secret';
const SENT = { message_id: 7 };

interface Received {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer<ArrayBuffer>;
}

let received: Received[];
let connected: number;
let sockets: Set<Socket>;
let answer: RequestListener;
let api: BotApi;
let close: () => void;
beforeEach(async () => {
  received = [];
  connected = 0;
  sockets = new Set();
  answer = (_request, response) => response.end(JSON.stringify({ ok: true, result: SENT }));
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request));
    received.push({ path: request.url ?? '', headers: request.headers, body });
    answer(request, response);
  });
  server.on('connection', (socket) => {
    connected += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  api = new BotApi({ token: TOKEN, apiRoot: `http://127.0.0.1:${port}/below` });
  close = () => {
    server.close();
    server.closeAllConnections();
  };
});
afterEach(() => {
  vi.useRealTimers();
  close();
});

const refusalFor = (retry_after: number) => ({
  ...{ ok: false, error_code: 429, description: 'Too Many Requests' },
  parameters: { retry_after },
});

const poll = (signal?: AbortSignal) => api.callApi('getUpdates', {}, signal === undefined ? {} : { signal });
const failure = (call: Promise<unknown>) =>
  call.then(
    () => expect.unreachable('it succeeded'),
    (error: unknown) => error,
  );

describe('on the wire', () => {
  it('a call is JSON under root and token, without unset fields', async () => {
    const reply = { message_id: 3, allow_sending_without_reply: true };
    const sent = await api.sendMessage(5, 'བོད།', {
      reply_parameters: reply,
      ...{ message_thread_id: undefined },
    });
    expect(sent).toEqual(SENT);
    const [call] = received;
    expect(call?.path).toBe(`/below/bot${TOKEN}/sendMessage`);
    expect(call?.headers['content-type']).toBe('application/json');
    expect(call?.headers['accept-encoding']).toBeUndefined();
    const link_preview_options = { is_disabled: true };
    const asked = { chat_id: 5, text: 'བོད།', reply_parameters: reply };
    expect(JSON.parse(String(call?.body))).toEqual({ ...asked, link_preview_options });
  });

  it('an upload is a form whose every field arrives, the reply and the buttons too', async () => {
    const bytes = Buffer.from([0, 13, 10, 45, 45, 255]);
    const reply = { message_id: 3 };
    const buttons = { inline_keyboard: [[{ text: '"x"', callback_data: 'speak:amdo' }]] };
    await api.sendVoice(
      5,
      { source: bytes, filename: 'a "b".ogg' },
      { caption: 'བོད།\r\n--', duration: 2, reply_parameters: reply, reply_markup: buttons },
    );
    const [call] = received;
    const type = call?.headers['content-type'] ?? '';
    const form = await new Response(call?.body, { headers: { 'content-type': type } }).formData();
    const { voice, ...fields } = Object.fromEntries(form);
    expect(fields).toEqual({
      chat_id: '5',
      caption: 'བོད།\r\n--',
      duration: '2',
      reply_parameters: JSON.stringify(reply),
      reply_markup: JSON.stringify(buttons),
    });
    if (!(voice instanceof File)) return expect.unreachable('no file came');
    expect(voice.name).toBe('a "b".ogg');
    expect(Buffer.from(await voice.arrayBuffer())).toEqual(bytes);
  });

  it.each([{ source: '/etc/passwd', filename: 'a.ogg' }, { source: Buffer.from('without a name') }])(
    'no file is read: %o is refused before anything is sent',
    async (file) => {
      expect(await failure(api.sendVoice(5, file))).toBeInstanceOf(TypeError);
      expect(received).toEqual([]);
    },
  );
});

it('a positive answer is believed whatever its HTTP status', async () => {
  answer = (_request, response) => response.writeHead(500).end(JSON.stringify({ ok: true, result: SENT }));
  expect(await api.sendMessage(5, 'x')).toEqual(SENT);
  expect(received).toHaveLength(1);
});

it('an answer that came while the process was stopped is read', async () => {
  const { setTimeout } = globalThis;
  const { promise: isOver, resolve } = Promise.withResolvers<void>();
  answer = (_request, response) =>
    response.end(JSON.stringify({ ok: true, result: SENT }), () => {
      // Timers run before the bytes are read that came meanwhile.
      setTimeout(() => {
        vi.advanceTimersByTime(60_000);
        resolve();
      }, 0);
    });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  expect(await poll()).toEqual(SENT);
  await isOver;
});

it('what Telegram refuses with 429 does not count against the pace of a group', async () => {
  const texts = Array.from({ length: 10 }, (_, index) => `text ${index}`);
  const times = (text: string) => received.filter(({ body }) => body.includes(`"${text}"`)).length;
  answer = (_request, response) => {
    const { text }: { text: string } = JSON.parse(String(received.at(-1)?.body));
    const result = times(text) > 2 ? { ok: true, result: SENT } : refusalFor(0);
    response.end(JSON.stringify(result));
  };
  // 20 refusals and 10 messages: more than a minute may have.
  const sent = await Promise.all(texts.map((text) => api.sendMessage(-5, text)));
  expect(sent).toEqual(texts.map(() => SENT));
  expect(received).toHaveLength(30);
});

it('a group that has refused a message gets the others one after another', async () => {
  answer = (_request, response) => response.end(JSON.stringify(refusalFor(0)));
  const first = api.sendMessage(-6, 'refused');
  await expect.poll(() => received.length).toBe(1);
  let underWay = 0;
  let most = 0;
  answer = async (_request, response) => {
    underWay += 1;
    most = Math.max(most, underWay);
    await setImmediate();
    await setImmediate();
    underWay -= 1;
    response.end(JSON.stringify({ ok: true, result: SENT }));
  };
  const elsewhere = Array.from({ length: 3 }, () => api.sendMessage(-7, 'elsewhere'));
  await Promise.all([first, ...elsewhere]);
  most = 0;
  await Promise.all(Array.from({ length: 8 }, (_, index) => api.sendMessage(-6, `text ${index}`)));
  expect(most).toBe(1);
});

describe('nothing is left behind', () => {
  it('a connection serves again after an answer that nobody needs', async () => {
    answer = (_request, response) => response.writeHead(502).end('<p>Bad Gateway</p>'.repeat(100_000));
    for (let call = 0; call < 10; call += 1) expect(await failure(poll())).toMatchObject({ code: 502 });
    // undici lets a connection rest for a turn of the event loop, so that two may take turns.
    expect(connected).toBeLessThanOrEqual(2);
  });

  // Before the minute is over that any call may take.
  it('a connection is hung up on whose answer gushes for ever', { timeout: 50_000 }, async () => {
    answer = (_request, response) => {
      const gush = (): void => {
        while (response.write(Buffer.alloc(1024 * 1024, ' ')));
      };
      response.on('drain', gush);
      gush();
    };
    expect(await failure(poll())).toSatisfy(isOutage);
    await expect.poll(() => sockets.size).toBe(0);
  });

  it('a connection is hung up on whose answer drips for ever, after a minute', async () => {
    answer = (_request, response) => {
      const drip = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(drip));
    };
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const call = failure(poll());
    await expect.poll(() => received.length).toBe(1);
    vi.advanceTimersByTime(60_000);
    expect(await call).toSatisfy(isOutage);
    await expect.poll(() => sockets.size).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('a large upload has as long as a slow line needs', async () => {
    answer = () => {};
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const voice = { source: Buffer.alloc(8_000_000), filename: 'a.ogg' };
    const ended = vi.fn((error: unknown) => error);
    const call = failure(api.callApi('sendVoice', { chat_id: 7, voice })).then(ended);
    await expect.poll(() => received.length).toBe(1);
    vi.advanceTimersByTime(500_000);
    await setImmediate();
    await setImmediate();
    expect(ended).not.toHaveBeenCalled();
    vi.advanceTimersByTime(61_000);
    expect(await call).toSatisfy(isOutage);
  });

  it('a wait for Telegram ends with the process, a call not', async () => {
    answer = (_request, response) => response.end(JSON.stringify(refusalFor(4)));
    const refused = failure(api.sendMessage(7, 'waits'));
    await expect.poll(() => received.length).toBe(1);
    let finish = (): void => {};
    answer = (_request, response) => {
      finish = () => response.end(JSON.stringify({ ok: true, result: SENT }));
    };
    const underWay = api.sendMessage(8, 'is on its way');
    await expect.poll(() => received.length).toBe(2);
    api.endWaits();
    expect(await refused).toMatchObject({ name: 'AbortError' });
    finish();
    expect(await underWay).toEqual(SENT);
  });

  it('a call ends as soon as its caller gives up', async () => {
    answer = () => {};
    const leave = new AbortController();
    const call = failure(poll(leave.signal));
    await expect.poll(() => received.length).toBe(1);
    leave.abort();
    expect(await call).toMatchObject({ name: 'AbortError' });
    await expect.poll(() => sockets.size).toBe(0);
    expect(await failure(poll(leave.signal))).toMatchObject({ name: 'AbortError' });
    expect(received).toHaveLength(1);
  });
});

describe('an error', () => {
  it('of the network tells neither the token nor the address', async () => {
    answer = (request) => request.socket.destroy();
    const error = await failure(poll());
    expect(error).toSatisfy(isOutage);
    expect(inspect(error, { depth: null, showHidden: true })).not.toMatch(/test-token-secret|127\.0\.0\.1/);
  });

  it('of Telegram’s has its code, its words, its parameters, and the method', async () => {
    answer = (_request, response) =>
      response.end(
        '{"ok":false,"error_code":403,"description":"Forbidden","parameters":{"retry_after":"x"}}',
      );
    const error = await failure(api.sendMessage(5, 'x'));
    if (!(error instanceof TelegramError)) return expect.unreachable('no refusal');
    const { code, description, message, parameters, on } = error;
    expect({ code, description, message }).toEqual({
      code: 403,
      description: 'Forbidden',
      message: '403: Forbidden',
    });
    expect(parameters?.retry_after).toBeUndefined();
    expect(on).toMatchObject({ method: 'sendMessage' });
  });
});
