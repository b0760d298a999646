/** The webhook takes what Telegram sends, once it is on disk, and gives nothing to anybody else. */
import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type HttpUnderTest, PATH, SECRET, startHttpUnderTest } from './http-under-test.ts';

let server: HttpUnderTest;
beforeAll(async () => {
  server = await startHttpUnderTest();
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.sql.deleteFrom('requests').execute();
  server.received.length = 0;
});

let number = 0;
function newUpdate(text = 'བཀྲ་ཤིས།') {
  number += 1;
  const from = { id: 7, is_bot: false, first_name: 'Pema' };
  const chat = { id: 7, type: 'private', first_name: 'Pema' };
  return { update_id: number, message: { message_id: number, date: 1, from, chat, text } };
}

describe('an update', () => {
  it('is on disk when it is answered with 200, and then told', async () => {
    const update = newUpdate();
    const answer = await server.deliver(JSON.stringify(update));
    expect([answer.status, await answer.text()]).toEqual([200, '']);
    expect(await server.queued()).toEqual([update]);
    expect(server.received).toEqual([update]);
  });

  it('is also taken when a query follows the path', async () => {
    expect((await server.deliver(JSON.stringify(newUpdate()), {}, `${PATH}?a=b`)).status).toBe(200);
  });

  it('that comes twice is taken twice and kept once', async () => {
    const update = JSON.stringify(newUpdate());
    const answers = [await server.deliver(update), await server.deliver(update)];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await server.queued()).toHaveLength(1);
  });

  it('that cannot be written is refused with 503, and taken when it comes again', async () => {
    const hindered = await startHttpUnderTest();
    const update = newUpdate('a private word');
    const other = new Sqlite(hindered.databaseFile);
    other.exec('BEGIN IMMEDIATE');
    const refused = await hindered.deliver(JSON.stringify(update));
    other.exec('ROLLBACK');
    other.close();
    expect([refused.status, await refused.text()]).toEqual([503, 'Service Unavailable\n']);
    expect(hindered.received).toEqual([]);
    expect(hindered.log()).toContain('storing an update failed');
    expect(hindered.log()).not.toContain('a private word');
    const again = await hindered.deliver(JSON.stringify(update));
    const kept = await hindered.queued();
    await hindered.close();
    expect([again.status, kept]).toEqual([200, [update]]);
  });
});

describe('a request without the secret', () => {
  it.each([
    ['none', {}],
    ['an empty one', { 'x-telegram-bot-api-secret-token': '' }],
    ['its beginning', { 'x-telegram-bot-api-secret-token': SECRET.slice(0, -1) }],
    ['more than it', { 'x-telegram-bot-api-secret-token': `${SECRET}4` }],
    ['another case', { 'x-telegram-bot-api-secret-token': SECRET.toUpperCase() }],
    ['it twice', { 'x-telegram-bot-api-secret-token': `${SECRET}, ${SECRET}` }],
    ['it in another header', { authorization: SECRET }],
  ])('(%s) gets 401, and leaves nothing behind', async (_what, headers) => {
    const answer = await fetch(server.url + PATH, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(newUpdate()),
    });
    expect([answer.status, await answer.text()]).toEqual([401, 'Unauthorized\n']);
    expect(await server.queued()).toEqual([]);
  });

  it.each([['content-length: 1000000000'], ['transfer-encoding: chunked']])(
    '(%s) is answered and cut off before its body has come',
    async (framing) => {
      const answer = await server.raw(
        `POST ${PATH} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n${framing}\r\n\r\n`,
      );
      expect(answer).toMatch(/^HTTP\/1\.1 401 /);
    },
  );

  it('is not told apart by its body: malformed or huge, it gets 401', async () => {
    for (const body of ['{', 'x'.repeat(2_000_000)]) {
      const answer = await server
        .deliver(body, { 'x-telegram-bot-api-secret-token': 'wrong' })
        // The server hangs up on who goes on sending; what counts is that nothing was taken.
        .catch(() => ({ status: 401 }));
      expect(answer.status).toBe(401);
    }
  });
});

describe('with the secret', () => {
  it.each([
    ['malformed JSON', '{"update_id": 1', {}, 400],
    ['nothing', '', {}, 400],
    ['a form', 'update_id=1', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
    ['more than a megabyte', JSON.stringify({ update_id: 1, pad: 'x'.repeat(1024 * 1024) }), {}, 413],
  ])('%s is refused in general words', async (_what, body, headers, status) => {
    const answer = await server.deliver(body, headers);
    expect(answer.status).toBe(status);
    expect(await answer.text()).toMatch(/^[A-Z][A-Za-z ]+\n$/);
    expect(await server.queued()).toEqual([]);
  });

  it('a chunked body of more than a megabyte is refused without being taken whole', async () => {
    const chunk = `80000\r\n${'x'.repeat(0x80000)}\r\n`;
    const answer = await server.raw(
      `POST ${PATH} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n` +
        `x-telegram-bot-api-secret-token: ${SECRET}\r\ntransfer-encoding: chunked\r\n\r\n${chunk.repeat(3)}`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  });

  it('an update of nearly a megabyte is taken', async () => {
    const update = newUpdate('x'.repeat(1_000_000));
    expect((await server.deliver(JSON.stringify(update))).status).toBe(200);
    expect(await server.queued()).toEqual([update]);
  });

  it.each(['null', '[]', '1', '"update"', '{}', '{"update_id":"1"}'])(
    '%s is answered with 200, so that it does not come again',
    async (body) => {
      expect((await server.deliver(body)).status).toBe(200);
      expect(await server.queued()).toEqual([]);
    },
  );

  it('whatever JSON comes, the answer is 200 and the server lives', async () => {
    await fc.assert(
      fc.asyncProperty(fc.json(), async (body) => {
        expect((await server.deliver(body)).status).toBe(200);
      }),
      { numRuns: 50 },
    );
  });
});

describe('nothing else is there', () => {
  it.each([
    ['POST', '/'],
    ['POST', '/telegram'],
    ['POST', `${PATH}/`],
    ['POST', PATH.toUpperCase()],
    ['POST', '/telegram/hook'],
    ['POST', '/healthz'],
    ['GET', PATH],
    ['PUT', PATH],
    ['DELETE', PATH],
    ['GET', '/%zz'],
    ['GET', '/secret-words'],
    ['PUT', '/metrics'],
  ])('%s %s gets 404, whose words repeat nothing', async (method, path) => {
    const answer = await fetch(server.url + path, {
      method,
      headers: { 'x-telegram-bot-api-secret-token': SECRET, 'content-type': 'application/json' },
      ...(method === 'GET' ? {} : { body: '{' }),
    });
    expect([answer.status, await answer.text()]).toEqual([404, 'Not Found\n']);
  });
});

it('while the process stops, an update is left to Telegram', async () => {
  const stopping = await startHttpUnderTest();
  stopping.stop();
  expect((await stopping.deliver(JSON.stringify(newUpdate()))).status).toBe(503);
  expect(await stopping.queued()).toEqual([]);
  await stopping.close();
});
