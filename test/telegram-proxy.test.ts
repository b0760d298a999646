/** TELEGRAM_PROXY: everything that goes to Telegram goes through it, and nothing else does. */
import { afterEach, expect, it } from 'vitest';
import { checkTelegram } from '../src/doctor/telegram.ts';
import { openBotPlace } from './bot-place.ts';
import { TOKEN } from './bot-process.ts';
import { freePort } from './free-port.ts';
import { hasTibetan, isVoice, newChinese, says } from './phrases.ts';
import { aJpeg } from './pictures.ts';
import { CERTIFICATE, type ProxyKind, startProxy, startTls, type TestProxy } from './proxies.ts';
import { startScene } from './scene.ts';

/** Known to the proxy alone: who resolves it here finds nothing. */
const HOST = 'telegram.invalid';
/** As it is, and as a URL has it. */
const CREDENTIALS = 'pema:p@ss wörd/1';
const IN_URL = `pema:${encodeURIComponent('p@ss wörd/1')}`;

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

function closed<T extends { close(): Promise<unknown> }>(what: T): T {
  ends.push(() => what.close());
  return what;
}

it.each<ProxyKind>(['http', 'https', 'socks5'])(
  'through %s a text, a photo and a voice note go to Telegram under the name that the proxy resolves, over TLS; the service is called without it',
  async (kind) => {
    let proxy: TestProxy | undefined;
    const scene = await startScene({
      env: { NODE_EXTRA_CA_CERTS: CERTIFICATE },
      between: async (telegram) => {
        const tls = closed(await startTls(Number(new URL(telegram.apiRoot).port)));
        proxy = closed(
          await startProxy(kind, { credentials: CREDENTIALS, leads: { [`${HOST}:443`]: tls.port } }),
        );
        return {
          TELEGRAM_API_ROOT: `https://${HOST}`,
          TELEGRAM_PROXY: `${kind}://${IN_URL}@127.0.0.1:${proxy.port}`,
        };
      },
    });
    closed(scene);
    const { anna } = scene;
    const paid = await scene.paidBy(async () => {
      const translated = await scene.ask(anna, newChinese());
      expect(hasTibetan(translated.text)).toBe(true);
      const photo = await anna.sendPhoto(anna.chat, await aJpeg());
      expect(hasTibetan((await scene.answerTo(photo)).text)).toBe(true);
      await anna.press(translated, 'speak:amdo');
      await scene.answerTo(photo, isVoice);
    });
    expect(paid).toBe(3);
    expect(proxy?.asked.length).toBeGreaterThan(0);
    expect([...new Set(proxy?.asked)]).toEqual([`${HOST}:443`]);
    for (const secret of [CREDENTIALS, IN_URL, 'p@ss', 'p%40ss', TOKEN.slice(11)])
      expect(scene.log()).not.toContain(secret);
  },
);

it('the doctor reports a proxy that refuses, with its remedy', async () => {
  const cells = [
    ['http', '407', 'pema:another'],
    ['socks5', 'SOCKS5_AUTH_FAILED', 'pema:another'],
    ['http', '502', CREDENTIALS],
    ['socks5', 'SOCKS5_REPLY_4', CREDENTIALS],
  ] as const;
  await Promise.all(
    cells.map(async ([kind, code, credentials]) => {
      const { port } = closed(await startProxy(kind, { credentials, leads: {} }));
      const finding = await checked(`${kind}://${IN_URL}@127.0.0.1:${port}`, `http://${HOST}`);
      expect(finding?.text).toBe(`Telegram: TELEGRAM_PROXY lets nothing through (${code})`);
      expect(finding?.remedy).toMatch(/may reach TELEGRAM_API_ROOT.* user and password \(407/);
      expect(finding?.verdict).toBe('wrong');
    }),
  );
});

/** What the doctor says of an account behind this proxy. */
async function checked(address: string, apiRoot: string) {
  const proxy = new URL(address);
  const telegram = { token: TOKEN, apiRoot, proxy, filesDir: undefined };
  const config = { telegram, webhook: undefined, access: 'open' as const, adminIds: [] };
  const { value } = await checkTelegram(config).next();
  return value;
}

it('a proxy that is away makes the bot unready until it returns', async () => {
  const place = closed(await openBotPlace());
  const [port, PORT] = [await freePort(), String(await freePort())];
  const { port: telegramPort } = new URL(place.telegram.apiRoot);
  const TELEGRAM_PROXY = `socks5://${IN_URL}@127.0.0.1:${port}`;
  const TELEGRAM_API_ROOT = `http://${HOST}:${telegramPort}`;
  const bot = place.start({ PORT, TELEGRAM_API_ROOT, TELEGRAM_PROXY });
  const readyz = async () => {
    // Nobody listens yet.
    const response = await fetch(`http://127.0.0.1:${PORT}/readyz`).catch(() => undefined);
    return (await response?.text()) ?? '';
  };
  await expect.poll(readyz).toContain('TELEGRAM_PROXY lets nothing through (ECONNREFUSED)');
  const finding = await checked(TELEGRAM_PROXY, TELEGRAM_API_ROOT);
  expect(finding?.text).toBe('Telegram: TELEGRAM_PROXY lets nothing through (ECONNREFUSED)');
  expect(finding?.remedy).toMatch(/check that it runs/);
  const leads = { [`${HOST}:${telegramPort}`]: Number(telegramPort) };
  closed(await startProxy('socks5', { credentials: CREDENTIALS, leads, port }));
  await place.telegram.botReady();
  await expect.poll(readyz).toContain('"ready":true');
  const person = place.telegram.world.addPerson({ firstName: 'Pema', languageCode: 'en' });
  person.send(person.chat, { text: '/start' });
  await place.telegram.world.waitForMessage(person.chat, ({ text }) => text === says('start'));
  for (const secret of [CREDENTIALS, IN_URL, 'p@ss', 'p%40ss']) expect(bot.output()).not.toContain(secret);
});
