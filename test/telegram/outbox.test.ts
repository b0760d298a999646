/** The messages of a request: none is sent twice, and none once another process has taken the request over. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLog } from '../../src/log.ts';
import type { SentMessage } from '../../src/queue/request-row.ts';
import { BotApi } from '../../src/telegram/api/api.ts';
import { Outbox } from '../../src/telegram/outbox/outbox.ts';

const CHAT = { id: 7, type: 'private', first_name: 'Pema' } as const;
const MESSAGE = { message_id: 3, date: 0, chat: CHAT };

let server: Server;
let api: BotApi;
/** The methods that were called. */
let called: string[];
/** Telegram does this, and its receipt is lost. */
let lost: string | undefined;
beforeEach(async () => {
  called = [];
  lost = undefined;
  server = createServer((request, response) => {
    const method = String(request.url).split('/').at(-1) ?? '';
    called.push(method);
    if (method === lost) {
      request.socket.destroy();
      return;
    }
    const result = method === 'getMe' ? { id: 1, username: 'lotsawa_bot' } : { ...MESSAGE, message_id: 10 };
    response.end(JSON.stringify({ ok: true, result }));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  api = new BotApi({ token: '1:secret', apiRoot: `http://127.0.0.1:${port}` });
});
afterEach(() => {
  server.close();
  server.closeAllConnections();
});

/** The outbox of an attempt at a request whose row holds `sent`. */
function attempt(sent: readonly SentMessage[]) {
  const leaving = new AbortController();
  const row = { id: 1, lane: '7', album: undefined, strikes: 0, failures: 0, isCancelled: false, consent: 0 };
  const state = { noted: sent };
  const outbox = new Outbox(
    {
      bot: { api, log: createLog('fatal'), giveUpIfSlept: () => {} },
      work: {
        request: { ...row, sent, digest: undefined, body: {} },
        signal: leaving.signal,
        note: async (messages) => {
          state.noted = messages;
        },
      },
      chat: CHAT,
      from: undefined,
      msg: MESSAGE,
      isPersonal: false,
    },
    undefined,
  );
  return { outbox, state, leaving, send: () => outbox.send({ text: 'བོད།' }) };
}

it('none is sent, and none is edited, once the work is left to another process', async () => {
  const { leaving, send } = attempt([{ id: 1, kind: 'text', isOld: true }]);
  await send();
  leaving.abort(new Error('left to another process'));
  await expect(send()).rejects.toThrow('left to another process');
  expect(called).toEqual(['editMessageText']);
});

describe('a message whose receipt was lost', () => {
  it('is sent once more, and then counts as sent', async () => {
    lost = 'sendMessage';
    const first = attempt([]);
    await expect(first.send()).rejects.toThrow('no answer from Telegram');
    const second = attempt(first.state.noted);
    await second.send();
    expect(called.filter((method) => method === lost)).toHaveLength(2);
    expect(attempt(second.state.noted).outbox.isPartlyAnswered).toBe(true);
  });

  it('is not sent again before Telegram answers at all', async () => {
    lost = 'sendMessage';
    const first = attempt([]);
    await expect(first.send()).rejects.toThrow('no answer from Telegram');
    lost = 'getMe';
    await expect(attempt(first.state.noted).send()).rejects.toThrow('no answer from Telegram');
    expect(called.filter((method) => method === 'sendMessage')).toHaveLength(1);
  });
});
