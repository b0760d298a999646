/** The sandbox is no part of the bot: other bots, on other libraries, run in it by their environment alone. */
import { existsSync, readFileSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { z } from 'zod';
import { hasTibetan } from './phrases.ts';
import { isRunning } from './processes.ts';
import { type SandboxProcess, startSandboxProcess } from './sandbox-process.ts';

const message = z.object({
  message_id: z.number(),
  from: z.object({ id: z.number(), is_bot: z.boolean() }),
  text: z.string().optional(),
  caption: z.string().optional(),
  voice: z.object({ file_id: z.string(), mime_type: z.string() }).optional(),
});
type Message = z.infer<typeof message>;

const event = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('snapshot'),
    snapshot: z.object({ people: z.array(z.object({ id: z.number() })) }),
  }),
  z.object({ type: z.literal('message'), message }),
]);

let sandbox: SandboxProcess;
let page: AsyncIterator<z.infer<typeof event>>;
/** The person who writes; the private chat has the same id. */
let me: number;

/** Every event of the page that these tests know, from the first on. */
async function* events(url: string): AsyncGenerator<z.infer<typeof event>> {
  const { body } = await fetch(`${url}/api/events`);
  if (body === null) throw new Error('no stream');
  let rest = '';
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    const frames = (rest + chunk).split('\n\n');
    rest = frames.pop() ?? '';
    for (const frame of frames) {
      const known = event.safeParse(JSON.parse(frame.replace(/^data: /, '')));
      if (known.success) yield known.data;
    }
  }
}

async function start(bot: string): Promise<void> {
  sandbox = await startSandboxProcess([process.execPath, bot]);
  page = events(sandbox.url);
  const { value } = await page.next();
  me = z.number().parse(value?.snapshot.people[0]?.id);
}

/** Sends something into the private chat; gives the bot's next message. */
async function answerTo(path: string, what: object): Promise<Message> {
  const sent = await fetch(`${sandbox.url}/api/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ personId: me, chatId: me, ...what }),
  });
  expect(sent.status).toBe(200);
  for (;;) {
    const { value, done } = await page.next();
    if (done) throw new Error('the sandbox ended');
    if (value.type === 'message' && value.message.from.is_bot) return value.message;
  }
}

afterEach(() => sandbox.interrupt());

it.each(['telegraf', 'grammy'])('a plain bot on %s works, and ends with the sandbox', async (library) => {
  await start(`bench/peers/${library}.ts`);
  expect((await answerTo('sendText', { text: '你好' })).text).toSatisfy(hasTibetan);
  expect((await answerTo('sendSample', { name: 'tibetan' })).text).toMatch(/བཀྲ་ཤིས/);
  const spoken = await answerTo('sendText', { text: '/speak amdo བཀྲ་ཤིས་བདེ་ལེགས།' });
  expect(spoken).toMatchObject({ caption: 'བཀྲ་ཤིས་བདེ་ལེགས།', voice: { mime_type: 'audio/ogg' } });
  const ogg = await fetch(`${sandbox.url}/api/files/${spoken.voice?.file_id}`);
  expect(
    Buffer.from(await ogg.arrayBuffer())
      .subarray(0, 4)
      .toString(),
  ).toBe('OggS');

  const children = sandbox.children();
  expect(children.length).toBeGreaterThan(0);
  expect(await sandbox.interrupt()).toBe(0);
  expect(children.filter(isRunning)).toEqual([]);
});

it('a terminal that is closed ends the bot, too, and the sandbox leaves nothing behind', async () => {
  const waits =
    "fetch(process.env.TELEGRAM_API_ROOT + '/bot' + process.env.TELEGRAM_BOT_TOKEN + '/getUpdates?timeout=50')";
  sandbox = await startSandboxProcess([process.execPath, '-e', waits]);
  const bots = sandbox.children();
  const environment = readFileSync(`/proc/${bots[0]}/environ`, 'utf8').split('\0');
  const folder = environment.find((line) => line.startsWith('SANDBOX_FOLDER='))?.split('=')[1] ?? '';
  expect(existsSync(folder)).toBe(true);
  expect(await sandbox.hangUp()).toBe(0);
  expect(bots.filter(isRunning)).toEqual([]);
  expect(existsSync(folder)).toBe(false);
});

it('a command that fails to start ends the sandbox with words', async () => {
  await expect(startSandboxProcess(['/nowhere/bot'])).rejects.toThrow('ended without an address');
  await expect(startSandboxProcess([process.execPath, '-e', '0'])).rejects.toThrow(
    'ended without an address',
  );
});
