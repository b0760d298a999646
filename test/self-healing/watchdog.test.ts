/** A process whose event loop is blocked ends, and no other does. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import { startLocalService } from '../../sandbox/service/local-service.ts';
import { createQuickEngines } from '../../sandbox/service/quick-engines.ts';
import { startLocalTelegram } from '../../sandbox/telegram/local-telegram.ts';
import { botEnvironment, makeBotFolder, startBotProcess, TOKEN } from '../bot-process.ts';
import { hasTibetan, newChinese } from '../phrases.ts';
import { startScene } from '../scene.ts';

const WATCHDOG = new URL('../../src/app/watchdog.ts', import.meta.url);

/** A process that is watched, and ends when its event loop has stood still for 1.2 s; then it does `work`. */
function startWatched(work: string): { child: ChildProcess; errors: () => string } {
  const program = `
    import { startWatchdog } from ${JSON.stringify(WATCHDOG)};
    startWatchdog({ error: console.error }, 1200);
    ${work}`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program]);
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  return { child, errors: () => errors };
}

it('an endless loop ends the process, and it is told why', async () => {
  const { child, errors } = startWatched('setTimeout(() => { for (;;); }, 100);');
  const [code, signal] = await once(child, 'close');
  expect([code, signal]).toEqual([null, 'SIGKILL']);
  expect(errors()).toMatch(
    /^The event loop is blocked: killing the process, for its supervisor to restart\.$/m,
  );
});

it('a process that was stopped for longer goes on, and ends when its work is done', async () => {
  const { child, errors } = startWatched(
    `process.stdin.once('data', () => process.stdin.destroy()); console.log('watched');`,
  );
  await once(child.stdout ?? child, 'data');
  child.kill('SIGSTOP');
  const stoppedFor = 3000;
  await new Promise((resolve) => setTimeout(resolve, stoppedFor));
  child.kill('SIGCONT');
  child.stdin?.end('done\n');
  const [code, signal] = await once(child, 'close');
  expect([code, signal, errors()]).toEqual([0, null, '']);
});

it('a bot for which the machine has no thread left says so, and goes on', async () => {
  const NO_THREAD = new URL('no-thread.mjs', import.meta.url).href;
  const scene = await startScene({ env: { NODE_OPTIONS: `--import=${NO_THREAD}` } });
  onTestFinished(() => scene.close());
  await scene.bot().says('the watchdog did not start');
  expect((await scene.ask(scene.anna, newChinese())).text).toSatisfy(hasTibetan);
});

it('a bot that hangs on its very first update ends', async () => {
  const service = await startLocalService({ engines: createQuickEngines() });
  const telegram = await startLocalTelegram({ token: TOKEN });
  const folder = makeBotFolder();
  onTestFinished(async () => {
    await telegram.close();
    await service.close();
    folder.remove();
  });
  const person = telegram.world.addPerson({ firstName: 'Pema', languageCode: 'en' });
  person.send(person.chat, { text: '今天' });
  // Every text is brought into a normal form before it is translated.
  const program = `const { normalize } = String.prototype;
    String.prototype.normalize = function (form) {
      while (this.includes('今天'));
      return normalize.call(this, form);
    };`;
  // The minute for which the loop may stand still is over in 6 s.
  const QUICK_WATCH = new URL('quick-watch.mjs', import.meta.url).href;
  const NODE_OPTIONS = `--import=${QUICK_WATCH} --import=data:text/javascript,${encodeURIComponent(program)}`;
  const bot = startBotProcess({ ...botEnvironment(telegram, service, folder), NODE_OPTIONS }, folder);
  onTestFinished(async () => void (await bot.stop('SIGKILL')));
  expect(await bot.exited).toBe('SIGKILL');
  expect(bot.output()).toContain('The event loop is blocked');
});
