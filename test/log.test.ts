/** What the log may say of an error: enough to mend it, and nothing of a person or a secret. */
import { TelegramError } from 'telegraf';
import { expect, it } from 'vitest';
import { Failure } from '../src/errors.ts';
import { createLog, describeError } from '../src/log.ts';

const TOKEN = '123456:AAE-secret_part';
const TEXT = 'བཀྲ་ཤིས་བདེ་ལེགས།';

function logged(error: unknown): string {
  let output = '';
  const log = createLog('trace', {
    write: (line) => {
      output += line;
    },
  });
  log.error({ error }, 'something failed');
  return output;
}

it('a failure is told by its kind, its code and its trace id', () => {
  const failure = new Failure('quota', 'the quota is used up', { code: '2001001', traceId: 'abc' });
  expect(describeError(failure)).toEqual({
    name: 'Failure',
    message: 'the quota is used up',
    kind: 'quota',
    code: '2001001',
    traceId: 'abc',
  });
});

it('a refusal of Telegram is told by its method and description, without what was sent', () => {
  const error = new TelegramError(
    { error_code: 400, description: 'Bad Request: chat not found' },
    { method: 'sendMessage', payload: { chat_id: 1, text: TEXT } },
  );
  const output = logged(error);
  expect(output).toContain('sendMessage');
  expect(output).toContain('chat not found');
  expect(output).not.toContain(TEXT);
});

it.each([
  `request to https://api.telegram.org/bot${TOKEN}/sendMessage failed`,
  `request to http://127.0.0.1:80/file/bot${TOKEN}/photos/file_1.jpg failed`,
  `getaddrinfo for bot${TOKEN}`,
  'https://auth.example.com/api/v1/oauth/token?client_id=hidden&client_secret=hidden',
  'connect to postgres://lotsawa:hidden@db.example.org/lotsawa',
])('credentials inside the message "%s" are taken out', (message) => {
  const output = logged(new Error(message, { cause: new Error(message) }));
  expect(output).not.toContain('secret_part');
  expect(output).not.toContain('hidden');
});

it.each(['QXVVQ\nXQV', '\nQXVVQ', '{"QXV": XVQ\n}', 'QXV"VQX\n"XVQ', 'QXV\n"', 'QXV\n    at QXV', "'Q'\n"])(
  'what a parser quotes of %j is taken out, though it spans lines',
  (text) => {
    for (const margin of ['', '   ', ' '.repeat(60)]) {
      try {
        expect(JSON.parse(`${margin}${text}${margin}`)).toBe('no JSON');
      } catch (error) {
        const { message, stack } = describeError(error);
        expect(message).toMatch(/^Unexpected token '…'[^QXV]*$/);
        expect(stack).toMatch(/^ {4}at JSON\.parse [^\n]*\n {4}at [^\n]*log\.test\.ts/);
        expect(stack).not.toMatch(/QX|XV|VQ/);
      }
    }
  },
);

it('an error of ours is told with its stack and its causes, to an end', () => {
  const ring = new Error('the outer one');
  ring.cause = new Error('the inner one', { cause: ring });
  const described = describeError(ring);
  expect(described.stack).toContain('log.test.ts');
  expect(described.cause?.message).toBe('the inner one');
  expect(logged(ring).length).toBeLessThan(20_000);
});

it.each([undefined, null, 'a string', 5, { message: TEXT }])(
  '%o, thrown, is told by its type alone',
  (thrown) => {
    expect(logged(thrown)).not.toContain(TEXT);
    expect(describeError(thrown)).toEqual({ name: typeof thrown });
  },
);
