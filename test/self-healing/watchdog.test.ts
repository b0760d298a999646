/** A process whose event loop is blocked ends, and no other does. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { useBotPlace } from '../shared-scene.ts';

const place = useBotPlace();
const WATCHDOG = new URL('../../src/app/watchdog.ts', import.meta.url);

it('a process stopped for longer goes on, and ends its work', async () => {
  const program = `
    import { startWatchdog } from ${JSON.stringify(WATCHDOG)};
    startWatchdog({ error: console.error }, 1200);
    process.stdin.once('data', () => process.stdin.destroy());
    console.log('watched');`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program]);
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  await once(child.stdout, 'data');
  child.kill('SIGSTOP');
  const stoppedForMs = 3000;
  await new Promise((resolve) => setTimeout(resolve, stoppedForMs));
  child.kill('SIGCONT');
  child.stdin.end('done\n');
  const [code, signal] = await once(child, 'close');
  expect([code, signal, errors]).toEqual([0, null, '']);
});

it('a bot that hangs on its very first update ends, and says why', async () => {
  const person = place.telegram.world.addPerson({ firstName: 'Pema', languageCode: 'en' });
  person.send(person.chat, { text: '今天' });
  // Every text is brought into a normal form before it is translated.
  const program = `const { normalize } = String.prototype;
    String.prototype.normalize = function (form) {
      while (this.includes('今天'));
      return normalize.call(this, form);
    };`;
  // The minute for which the loop may stand still is over in 6 s.
  const quickWatch = new URL('quick-watch.mjs', import.meta.url).href;
  const bot = place.start({
    NODE_OPTIONS: `--import=${quickWatch} --import=data:text/javascript,${encodeURIComponent(program)}`,
  });
  expect(await bot.exited).toBe('SIGKILL');
  expect(bot.output()).toContain(
    'The event loop is blocked: killing the process, for its supervisor to restart.',
  );
});
