/** `npm start` and `npm run sandbox`: whatever ends npm ends what it has started. */
import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, expect, it } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { newChinese } from './phrases.ts';
import { childrenOf, isRunning, programOf } from './processes.ts';
import { useBotPlace } from './shared-scene.ts';
import { startInTerminal } from './terminal.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

const place = useBotPlace();

beforeEach(() => {
  const { start, sandbox } = manifest.scripts;
  const scripts = {
    start: start.replace('src/main.mjs', join(ROOT, 'src/main.mjs')),
    sandbox: sandbox.replace(/sandbox\/main\.ts -- .*/, `${join(ROOT, 'sandbox/main.ts')} -- sleep 1000`),
  };
  writeFileSync(join(place.folder.path, 'package.json'), JSON.stringify({ scripts }));
});

const environment = () => ({
  ...place.settings,
  PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
  LOG_LEVEL: 'info',
  SANDBOX_PORT: '0',
});

function startNpm(...args: string[]): { npm: ChildProcess; output: () => string } {
  const npm = spawn('npm', args, {
    cwd: place.folder.path,
    env: environment(),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  npm.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  return { npm, output: () => output };
}

function descendantsOf(pid: number): number[] {
  return childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)]);
}

it.each<NodeJS.Signals>(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGKILL'])(
  '%s to npm start ends the bot in good order',
  async (signal) => {
    const { npm, output } = startNpm('start');
    await expect.poll(output).toContain('is ready');
    const started = descendantsOf(npm.pid ?? 0);
    expect(started.length).toBeGreaterThan(0);
    npm.kill(signal);
    await expect.poll(() => started.filter(isRunning)).toEqual([]);
    expect(output()).toContain('"msg":"stopped"');
  },
);

it('Ctrl-C in the terminal of npm start, which npm passes on, too, lets work end', async () => {
  const { service, telegram } = place;
  const terminal = startInTerminal(environment(), place.folder, 'exec npm start');
  await terminal.shows('is ready');
  const endCall = service.faults.hold('translation');
  const person = telegram.world.addPerson({ firstName: 'Pema', languageCode: 'en' });
  person.send(person.chat, { text: newChinese() });
  await telegram.world.waitUntil(() => service.calls.some(({ outcome }) => outcome === 'running'));
  terminal.pressCtrlC();
  await terminal.shows('INFO: stopping');
  endCall();
  await terminal.exited;
  expect(terminal.screen()).toContain('INFO: stopped');
  expect(telegram.world.messages(person.chat).some(({ from }) => from?.is_bot)).toBe(true);
});

it.each<NodeJS.Signals>(['SIGTERM', 'SIGHUP'])(
  '%s to npm run sandbox ends the sandbox and its bot',
  async (signal) => {
    const { npm } = startNpm('run', 'sandbox');
    const started = () => descendantsOf(npm.pid ?? 0);
    await expect.poll(() => started().map(programOf)).toContain('sleep');
    const left = started();
    npm.kill(signal);
    await expect.poll(() => left.filter(isRunning)).toEqual([]);
  },
);
