// Installs what the project needs: npm packages, ffmpeg with Opus, and for the tests a browser.
// With --production only the packages that running the bot needs. With --ffmpeg-may-lack the caller reports a missing ffmpeg.
// Plain JavaScript without packages, since it runs before they are installed, on any Node that node-version.cjs lets through. Silent if
// nothing is missing.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const forBrowserTests = process.argv.includes('--browser');
const forProduction = process.argv.includes('--production');
const ffmpegMayLack = process.argv.includes('--ffmpeg-may-lack');
/** The oldest Node that runs the bot; a machine with an older one uses the one among the packages. */
const MIN_NODE = 24;
/** An older npm, like Debian 13's, takes an override for a conflict, or omits what was built for this machine. */
const MIN_NPM = 10;
const NEWER_NPM = 'npm@10.9.4';
/** Packages with a part built for the machine: npm leaves that out without a word where it thinks that it does not fit. */
const BUILT = ['sharp', 'better-sqlite3'];

installPackages();
if (!hasFfmpegWithOpus() && !installWithApt('ffmpeg', hasFfmpegWithOpus) && !ffmpegMayLack) {
  fail(
    `ffmpeg with Opus is missing; voice notes need it. Install it, then start again: ${installCommand('ffmpeg')}`,
  );
}
if (forBrowserTests) {
  const { findBrowser } = await import('../sandbox/test/page/browser.mjs');
  const hasBrowser = () => findBrowser() !== undefined;
  if (!hasBrowser() && !installWithApt('chromium', hasBrowser)) {
    const message = `No Chromium is installed, which the tests of the chat page need: ${installCommand('chromium')}`;
    if (process.env.CI) fail(message);
    console.log(`${message} (they are skipped)`);
  }
}

/**
 * Installs the packages of the lock file unless they are there already; for production without development packages, and without Node where
 * the machine's own is new enough. Runs only those install scripts that `allowScripts` in package.json names. The stamp of a finished setup
 * names the Node with which the packages load: another one tries that first.
 */
function installPackages() {
  // `npm ci` may remove the very Node that runs this.
  const isOwnNode = process.execPath.startsWith(`${realpathSync(root)}/node_modules/`);
  const needsNode = isOwnNode || Number.parseInt(process.versions.node, 10) < MIN_NODE;
  const omitted = forProduction ? ['dev', ...(needsNode ? [] : ['peer'])] : [];
  const stamp = `${root}node_modules/.installed.json`;
  const lock = createHash('sha256')
    .update(readFileSync(`${root}package-lock.json`))
    .digest('hex');
  const made = existsSync(stamp) ? readJson(stamp) : { omitted: [] };
  const isWhole = made.lock === lock && made.omitted.every((kind) => omitted.includes(kind));
  if (isWhole && made.node === botNode().version) return;
  if (!isWhole || unloadable() !== undefined) {
    console.log('Installing packages (once, about half a minute) …');
    // Said of each kind, since the user's own settings of npm, or NODE_ENV, may say otherwise.
    const kinds = ['dev', 'optional', 'peer'].map(
      (kind) => `--${omitted.includes(kind) ? 'omit' : 'include'}=${kind}`,
    );
    // The sandbox is a workspace: what it needs, a bot in production does not.
    const workspaces = forProduction ? ['--workspaces=false'] : [];
    npm('ci', '--ignore-scripts', '--no-audit', '--no-fund', ...kinds, ...workspaces);
    const { allowScripts } = readJson(`${root}package.json`);
    const allowed = Object.keys(allowScripts).filter((name) => allowScripts[name]);
    const present = allowed.filter((name) => existsSync(`${root}node_modules/${name}`));
    if (present.length > 0) npm('rebuild', ...present);
  }
  const { path, version: node } = botNode();
  const name = unloadable();
  if (name !== undefined) {
    const machine = `Node ${node}, ${process.platform} ${process.arch}`;
    fail(
      `The package ${name} does not load on this machine (${machine}); this says why: ${path} -e "require('${name}')"`,
    );
  }
  writeFileSync(stamp, JSON.stringify({ lock, node, omitted }));
}

/** The Node that runs the bot: the one among the packages, if it is there. */
function botNode() {
  const manifest = `${root}node_modules/node/package.json`;
  if (!existsSync(manifest)) return { path: process.execPath, version: process.versions.node };
  return { path: `${root}node_modules/.bin/node`, version: readJson(manifest).version };
}

function unloadable() {
  const { path } = botNode();
  return BUILT.find((name) => spawnSync(path, ['-e', `require('${name}')`], { cwd: root }).status !== 0);
}

function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}

function npm(...args) {
  const through = isNpmNewEnough() ? [] : ['exec', '--yes', '--', NEWER_NPM];
  const { status } = spawnSync('npm', [...through, ...args, '--loglevel=error'], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) fail('Installing the packages failed; npm says why above.');
}

function isNpmNewEnough() {
  return Number.parseInt(spawnSync('npm', ['--version'], { encoding: 'utf8' }).stdout, 10) >= MIN_NPM;
}

function hasFfmpegWithOpus() {
  const ffmpeg = spawnSync('ffmpeg', ['-hide_banner', '-encoders'], { encoding: 'utf8' });
  return ffmpeg.status === 0 && ffmpeg.stdout.includes('libopus');
}

/** Installs a package on Debian and Ubuntu, as root or with passwordless sudo, and checks that it is there. */
function installWithApt(name, isThere) {
  const asRoot = rootPrefix();
  if (asRoot === undefined || spawnSync('which', ['apt-get']).status !== 0) return false;
  console.log(`Installing ${name} (once) …`);
  const apt = (...args) => {
    const [command, ...rest] = [...asRoot, 'apt-get', '-qq', ...args];
    execFileSync(command, rest, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
  };
  try {
    apt('update');
    apt('install', '-y', '--no-install-recommends', name);
  } catch {
    return false;
  }
  return isThere();
}

/** Returns the command prefix to become root; undefined where it would take a password. */
function rootPrefix() {
  if (process.getuid?.() === 0) return [];
  return spawnSync('sudo', ['-n', 'true']).status === 0 ? ['sudo', '-n'] : undefined;
}

function installCommand(name) {
  if (process.platform === 'darwin') return `brew install ${name}`;
  return `sudo apt-get install ${name}`;
}

function fail(reason) {
  console.error(reason);
  process.exit(1);
}
