/** `scripts/setup.mjs` as every command runs it first: on which Node, what it tells, and what it takes for finished. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import manifest from '../package.json' with { type: 'json' };
import { findBrowser } from '../sandbox/test/page/browser.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const COPIED = ['scripts/setup.mjs', 'scripts/node-version.cjs', 'sandbox/test/page/browser.mjs'];

/** A checkout whose packages an npm installs that only copies them, on a machine that has nothing but what is in `programs`. */
let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'lotsawa-setup-'));
  for (const path of COPIED) cpSync(join(ROOT, path), join(root, path));
  write('package.json', JSON.stringify({ allowScripts: {} }));
  write('package-lock.json', '{}');
  for (const name of ['sharp', 'better-sqlite3']) write(`packages/${name}/index.js`, '');
  program(
    'npm',
    '[ "$1" = --version ] && echo 11.0.0 || { echo "$@" >> npm.log; cp -R packages/. node_modules; }',
  );
  mkdirSync(join(root, 'node_modules'));
  program('ffmpeg', 'echo libopus');
  for (const name of ['which', 'cp']) program(name, `exec ${pathOf(name)} "$@"`);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function program(name: string, script: string): void {
  write(`programs/${name}`, `#!/bin/sh\n${script}\n`);
  chmodSync(join(root, 'programs', name), 0o755);
}

function pathOf(name: string): string {
  return spawnSync('which', [name], { encoding: 'utf8' }).stdout.trim();
}

interface Settings {
  /** The version that Node claims to have. */
  readonly node?: string;
  readonly env?: Record<string, string>;
}

/** Runs what stands before this command in package.json. */
function setUp(before: 'presandbox' | 'prestart' | 'pretest', { node, env }: Settings = {}) {
  const [, ...args] = manifest.scripts[before].split(' ');
  const claims = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${node}' } })`;
  write('claims.cjs', node === undefined ? '' : claims);
  const { status, stdout, stderr } = spawnSync(process.execPath, ['-r', './claims.cjs', ...args], {
    cwd: root,
    env: { PATH: join(root, 'programs'), ...env },
    encoding: 'utf8',
  });
  return { status, said: `${stdout}${stderr}`.trim() };
}

/** How often packages were installed. */
function installations(): number {
  return existsSync(join(root, 'npm.log'))
    ? readFileSync(join(root, 'npm.log'), 'utf8').split('\n').length - 1
    : 0;
}

describe('a Node that is too old', () => {
  it.each(['8.17.0', '12.22.9', '18.20.4', '20.8.1'])(
    '%s gets one line, and nothing else happens',
    (node) => {
      const { status, said } = setUp('prestart', { node });
      expect(status).toBe(78);
      expect(said).toBe(
        `Lotsawa needs Node 20.9 or newer, and this is Node ${node}: install one (https://nodejs.org), then start the command again.`,
      );
      expect(installations()).toBe(0);
    },
  );

  it('is told so before every command that installs what it lacks', () => {
    const scripts = Object.values(manifest.scripts).filter((script) => script.includes('setup.mjs'));
    expect(scripts.length).toBeGreaterThan(5);
    for (const script of scripts)
      expect(script).toMatch(/^node -r \.\/scripts\/node-version\.cjs scripts\/setup\.mjs/);
  });

  it.each(['20.9.0', '22.0.0', '24.21.0', '30.1.0'])('is not %s', (node) => {
    expect(setUp('prestart', { node }).status).toBe(0);
  });
});

describe('the packages', () => {
  const stamp = () => join(root, 'node_modules/.installed.json');

  it('are installed once, and the stamp names the Node that loads them', () => {
    expect(setUp('prestart').said).toMatch(/^Installing packages \(once/);
    expect(setUp('prestart')).toEqual({ status: 0, said: '' });
    expect(installations()).toBe(1);
    const { node } = z.object({ node: z.string() }).parse(JSON.parse(readFileSync(stamp(), 'utf8')));
    expect(node).toBe(process.versions.node);
  });

  it.each(['sharp', 'better-sqlite3'])('without %s are not taken for installed', (name) => {
    rmSync(join(root, 'packages', name), { recursive: true });
    const { status, said } = setUp('prestart');
    expect(status).toBe(1);
    expect(said.split('\n').at(-1)).toMatch(new RegExp(`^The package ${name} does not load on this machine`));
    expect(existsSync(stamp())).toBe(false);
    write(`packages/${name}/index.js`, '');
    expect(setUp('prestart').status).toBe(0);
  });

  it('are installed anew on another Node only where they do not load there', () => {
    setUp('prestart');
    expect(setUp('prestart', { node: '26.0.0' })).toEqual({ status: 0, said: '' });
    expect(readFileSync(stamp(), 'utf8')).toContain('"26.0.0"');
    expect(installations()).toBe(1);
    write('node_modules/sharp/index.js', 'throw new Error()');
    expect(setUp('prestart', { node: '28.0.0' }).status).toBe(0);
    expect(installations()).toBe(2);
  });

  it('come with all that a command needs, whatever npm is set to leave out', () => {
    setUp('prestart', { env: { NODE_ENV: 'production', npm_config_omit: 'optional' } });
    setUp('presandbox', { env: { NODE_ENV: 'production', npm_config_omit: 'optional' } });
    const [start, sandbox] = readFileSync(join(root, 'npm.log'), 'utf8').split('\n');
    expect(start).toContain('--omit=dev --include=optional --omit=peer');
    expect(sandbox).toContain('--include=dev --include=optional --include=peer');
  });
});

describe('without Chromium', () => {
  const line =
    'No Chromium is installed, which the tests of the chat page need: sudo apt-get install chromium';

  it('one line says that tests are skipped', () => {
    setUp('presandbox');
    expect(setUp('pretest')).toEqual({ status: 0, said: `${line} (they are skipped)` });
  });

  it('CI ends with that line, rather than skip them', () => {
    setUp('presandbox');
    expect(setUp('pretest', { env: { CI: 'true' } })).toEqual({ status: 1, said: line });
  });

  it('a program that only says how to install one is none', () => {
    const path = process.env.PATH;
    process.env.PATH = join(root, 'programs');
    try {
      program('chromium-browser', 'echo "requires the snap"; exit 1');
      expect(findBrowser()).toBeUndefined();
      program('google-chrome', 'echo Google Chrome 140');
      expect(findBrowser()).toBe(join(root, 'programs/google-chrome'));
    } finally {
      process.env.PATH = path;
    }
  });
});

it('without ffmpeg one line says what to do', () => {
  program('ffmpeg', 'exit 1');
  const { status, said } = setUp('prestart');
  expect(status).toBe(1);
  expect(said.split('\n').at(-1)).toBe(
    'ffmpeg with Opus is missing; voice notes need it. Install it, then start again: sudo apt-get install ffmpeg',
  );
});
