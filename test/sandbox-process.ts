/** `npm run sandbox` as a person starts and stops it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import manifest from '../package.json' with { type: 'json' };
import { childrenOf } from './processes.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** What `npm run sandbox` runs, behind its variables: `node sandbox/main.ts -- …`. */
const SCRIPT = manifest.scripts.sandbox.split(' ');
const SANDBOX = SCRIPT.slice(SCRIPT.indexOf('node') + 1);

export interface SandboxProcess {
  /** The address that it printed. */
  readonly url: string;
  /** Ids of the processes that it started and that still run. */
  children(): number[];
  /** Ctrl-C; resolves with the exit code. */
  interrupt(): Promise<number | null>;
  /** Its terminal is closed; resolves with the exit code. */
  hangUp(): Promise<number | null>;
}

/** Starts it on a free port, around the bot or another `command`; resolves when it says where to look. */
export async function startSandboxProcess(command?: readonly string[]): Promise<SandboxProcess> {
  const env = { ...process.env, SANDBOX_PORT: '0' };
  const args = command === undefined ? SANDBOX : ['sandbox/main.ts', '--', ...command];
  const sandbox = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(sandbox, 'exit');
  let url: string | undefined;
  for await (const line of createInterface({ input: sandbox.stdout })) {
    url = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
    if (url !== undefined) break;
  }
  if (url === undefined) throw new Error('the sandbox ended without an address');
  sandbox.stdout.resume();
  const endBy = async (signal: NodeJS.Signals): Promise<number | null> => {
    if (sandbox.exitCode === null && sandbox.signalCode === null) sandbox.kill(signal);
    await exited;
    return sandbox.exitCode;
  };
  return {
    url,
    children: () => childrenOf(sandbox.pid ?? 0),
    interrupt: () => endBy('SIGINT'),
    hangUp: () => endBy('SIGHUP'),
  };
}
