// Installs what the project needs: npm packages, ffmpeg with Opus, and for the tests a browser.
// With --production only the packages that running the bot needs. With --ffmpeg-may-lack the caller reports a missing ffmpeg.
// Plain JavaScript without packages, since it runs before they are installed, on any Node from 20 on. Silent if nothing is missing.
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
const BROWSERS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

installPackages();
if (!hasFfmpegWithOpus() && !installWithApt('ffmpeg', hasFfmpegWithOpus) && !ffmpegMayLack) {
  fail(
    'ffmpeg with Opus is missing; voice notes need it. Install it, then start again:',
    installCommand('ffmpeg'),
  );
}
if (forBrowserTests && !hasBrowser() && !installWithApt('chromium', hasBrowser)) {
  const message = 'Skipping the tests of the chat page: no Chromium is installed.';
  if (process.env.CI) fail(message, installCommand('chromium'));
  console.log(`${message} To run them: ${installCommand('chromium')}`);
}

/**
 * Installs the packages of the lock file unless they are there already; for production without development packages, and without Node where
 * the machine's own is new enough. Runs only those install scripts that `allowScripts` in package.json names.
 */
function installPackages() {
  // `npm ci` may remove the very Node that runs this.
  const isOwnNode = process.execPath.startsWith(`${realpathSync(root)}/node_modules/`);
  const needsNode = isOwnNode || Number.parseInt(process.versions.node, 10) < MIN_NODE;
  const omitted = forProduction ? ['dev', ...(needsNode ? [] : ['peer'])] : [];
  const stamp = `${root}node_modules/.installed`;
  const lock = createHash('sha256')
    .update(readFileSync(`${root}package-lock.json`))
    .digest('hex');
  const [installed, ...lacking] = existsSync(stamp) ? readFileSync(stamp, 'utf8').split(' ') : [];
  if (installed === lock && lacking.every((kind) => omitted.includes(kind))) return;
  console.log('Installing packages (once, about half a minute) …');
  // The sandbox is a workspace: what it needs, a bot in production does not.
  const flags = [
    ...omitted.map((kind) => `--omit=${kind}`),
    ...(forProduction ? ['--workspaces=false'] : []),
  ];
  npm('ci', '--ignore-scripts', '--no-audit', '--no-fund', ...flags);
  const { allowScripts } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
  const allowed = Object.keys(allowScripts).filter((name) => allowScripts[name]);
  const present = allowed.filter((name) => existsSync(`${root}node_modules/${name}`));
  if (present.length > 0) npm('rebuild', ...present);
  writeFileSync(stamp, [lock, ...omitted].join(' '));
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

function hasBrowser() {
  return BROWSERS.some((name) => spawnSync('which', [name]).status === 0);
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

function fail(...lines) {
  for (const line of lines) console.error(line);
  process.exit(1);
}
