/**
 * `node test/image.ts [IMAGE]`: the bot in its image (`lotsawa` unless said otherwise; `docker build -t lotsawa .`) against the
 * sandbox's servers on this machine: a text, a photo, a BMP (which ffmpeg decodes), speech with a secret from a file, also slow, a backup and
 * its restore. Ends with exit code 1 at the first thing that is not as it should be. Not one of the tests that `npm test` runs: it
 * takes Docker.
 */
import { execFileSync, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Message } from '../sandbox/telegram/objects.ts';
import { openBotPlace } from './bot-place.ts';
import { freePort } from './free-port.ts';
import { bmp } from './media/bitmaps.ts';
import { hasTibetan, isVoice, newChinese, TIBETAN } from './phrases.ts';
import { aJpeg } from './pictures.ts';

const [image = 'lotsawa'] = process.argv.slice(2);
const NAME = `lotsawa-check-${process.pid}`;
const WITHIN_MS = 300_000;
/** As compose.yaml runs it; on the machine's own network, where the sandbox's servers are. */
const LIKE_COMPOSE = [
  ...['--rm', '--init', '--network', 'host', '--read-only', '--tmpfs', '/tmp', '--cap-drop', 'ALL'],
  ...['--security-opt', 'no-new-privileges:true', '--volume', `${NAME}:/app/data`],
];

const docker = (...args: string[]): string => execFileSync('docker', args, { encoding: 'utf8' });
const volumes = (): string[] => docker('volume', 'ls', '--quiet').split('\n');

const before = volumes();
const place = await openBotPlace();
const { world } = place.telegram;
const { PATH: _, DATABASE_URL: __, SERVICE_X_SECRET: secret = '', ...settings } = place.settings;
const secretFile = join(place.folder.path, 'service_x_secret');
writeFileSync(secretFile, secret, { mode: 0o644 });
const IN_IMAGE = '/run/secrets/service_x_secret';
const environment = {
  ...settings,
  SERVICE_X_SECRET_FILE: IN_IMAGE,
  HOST: '127.0.0.1',
  PORT: String(await freePort()),
  LOG_LEVEL: 'info',
};
const giveUp = setTimeout(() => {
  execFileSync('docker', ['rm', '--force', NAME], { stdio: 'ignore' });
  throw new Error(`not done within ${WITHIN_MS} ms`);
}, WITHIN_MS);

try {
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')));
  const label = '{{index .Config.Labels "org.opencontainers.image.version"}}';
  expectThat(
    docker('inspect', '--format', label, image).trim() === version,
    'its label names the version of package.json',
  );
  let bot = await startBot();
  const pema = world.addPerson({ firstName: 'Pema', languageCode: 'en' });
  const answerTo = (sent: Message, matches: (answer: Message) => boolean) =>
    world.waitForMessage(sent.chat, (answer) => answer.from?.is_bot === true && matches(answer), {
      after: sent,
    });
  const chinese = newChinese();
  await answerTo(pema.send(pema.chat, { text: chinese }), ({ text }) => hasTibetan(text));
  tell('a text is translated');
  await answerTo(await pema.sendPhoto(pema.chat, await aJpeg()), ({ text }) => hasTibetan(text));
  tell('a photo is read');
  const wide = bmp({ width: 8200, height: 20, bits: 24, paint: (x) => [x % 256, 180, 90] });
  const asFile = { fileName: 'page.bmp', mimeType: 'image/bmp' };
  await answerTo(await pema.sendDocument(pema.chat, wide, asFile), ({ text }) => hasTibetan(text));
  tell('a BMP that has to be drawn anew is read');
  await answerTo(pema.send(pema.chat, { text: `/speak ${TIBETAN}` }), isVoice);
  tell('a text is spoken');
  const slow = ({ caption }: Message) => caption?.includes('0.75 ×') === true;
  await answerTo(
    pema.send(pema.chat, { text: `/speak slow ${TIBETAN}` }),
    (answer) => isVoice(answer) && slow(answer),
  );
  tell('and slowly, which ffmpeg makes of the kept note');
  docker('exec', NAME, 'node', 'scripts/healthcheck.mjs');
  tell('the container is healthy');

  const [backup = ''] = /data\/\S+\.db/.exec(docker('exec', NAME, 'node', 'scripts/backup.ts')) ?? [];
  const copy = execFileSync('docker', ['exec', NAME, 'cat', backup], { maxBuffer: 2 ** 30 });
  await bot.stop();
  const steps =
    'cat > data/restore.db && node scripts/restore.ts data/restore.db --force; rm -f data/restore.db';
  execFileSync('docker', ['run', '--interactive', ...LIKE_COMPOSE, image, 'sh', '-c', steps], {
    input: copy,
  });
  bot = await startBot();
  const paid = place.service.paid().calls;
  await answerTo(pema.send(pema.chat, { text: chinese }), ({ text }) => hasTibetan(text));
  expectThat(place.service.paid().calls === paid, 'what was paid for is kept in the backup');
  await bot.stop();
} finally {
  clearTimeout(giveUp);
  execFileSync('docker', ['rm', '--force', NAME], { stdio: 'ignore' });
  docker('volume', 'rm', '--force', NAME);
  await place.close();
}
const left = volumes().filter((volume) => !before.includes(volume));
expectThat(left.length === 0, 'no volume is left behind');

/** Starts the image, and waits until the bot is ready; its log must be JSON and nothing else. */
async function startBot() {
  const names = Object.keys(environment).flatMap((name) => ['--env', name]);
  const secrets = ['--volume', `${secretFile}:${IN_IMAGE}:ro`];
  const child = spawn('docker', ['run', '--name', NAME, ...LIKE_COMPOSE, ...secrets, ...names, image], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const heard = new EventEmitter();
  let log = '';
  child.stdout.on('data', (chunk: Buffer) => {
    log += chunk;
    if (log.includes('"ready"')) heard.emit('ready');
  });
  await Promise.race([
    once(heard, 'ready'),
    ended.then(() => {
      throw new Error(`the bot ended as it started:\n${log}`);
    }),
  ]);
  tell('the bot is ready');
  return {
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
      expectThat(child.exitCode === 0, 'SIGTERM ends the bot in good order');
      const strange = log.split('\n').filter((line) => line !== '' && !line.startsWith('{'));
      expectThat(strange.length === 0, `the log is JSON${strange.map((line) => `\n${line}`).join('')}`);
    },
  };
}

function expectThat(isSo: boolean, claim: string): void {
  if (!isSo) throw new Error(`not so: ${claim}`);
  tell(claim);
}

function tell(line: string): void {
  process.stdout.write(`${line}\n`);
}
