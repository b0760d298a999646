/**
 * 10⁵ mixed updates against the real bot: does its memory stay level, is every answer there once, what holds its event loop up?
 * `node bench/soak.ts [updates] [at once]`; `node bench/soak.ts quick` is a tenth of it.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../test/free-port.ts';
import { AS_STARTED } from './bots.ts';
import { LOOP_PROBE, longestBlocks } from './loop-probe.ts';
import { startBot } from './process.ts';
import { createCrowd } from './soak/crowd.ts';
import { pictureOf, startSoakWorld } from './soak/world.ts';

const [size = '100000', atOnce = '48'] = process.argv.slice(2);
const UPDATES = size === 'quick' ? 10_000 : Number(size);
if (!(UPDATES > 0)) throw new Error(`a number of updates, or quick, not ${size}`);
/** How often to take figures; memory is compared between the second and the last. */
const STEPS = 10;
const PATIENCE_MS = 30_000;
/** Memory is the least of this many looks, since garbage comes and goes. */
const LOOKS = 8;
const MB = 1024 * 1024;

const folder = mkdtempSync(join(tmpdir(), 'lotsawa-soak-'));
const port = await freePort();
const crowd = createCrowd((update) => world.deliver(update));
const files = (id: string) => {
  const [kind, mark] = id.split('-');
  return pictureOf(Number(mark), kind === 'photo' ? 'jpeg' : 'webp');
};
const world = await startSoakWorld(files, (seen) => crowd.seen(seen));
const bot = startBot({
  program: new URL('../src/main.mjs', import.meta.url).pathname,
  cwd: folder,
  nodeOptions: LOOP_PROBE,
  sampleEveryMs: 5000,
  env: {
    TELEGRAM_BOT_TOKEN: world.token,
    TELEGRAM_API_ROOT: world.url,
    SERVICE_AUTH_URL: world.url,
    SERVICE_BASE_URL: world.url,
    SERVICE_API_KEY: 'key',
    SERVICE_SECRET_KEY: 'secret',
    SERVICE_X_SECRET: 'secret',
    DATABASE_URL: `sqlite:${join(folder, 'lotsawa.db')}`,
    PORT: String(port),
    DAILY_CALLS_PER_USER: '0',
    DAILY_CALLS_PER_GROUP: '0',
    DAILY_BUDGET_YUAN: '0',
    LOG_LEVEL: 'warn',
    ...AS_STARTED,
  },
});

interface Figures {
  readonly rssMb: number;
  readonly heapMb: number;
  readonly files: number;
  readonly databaseMb: number;
  /** The longest block of the event loop since the last figures, in ms: by the bot's own work, and by the clock. */
  readonly blockedMs: number;
  readonly lateMs: number;
}

async function look(): Promise<Record<string, number>> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const values = text.split('\n').map((line) => line.split(' '));
  return Object.fromEntries(values.map(([name = '', value]) => [name, Number(value)]));
}

/** Under the load that goes on; the least memory of several looks. */
async function figures(): Promise<Figures> {
  const { longestCpuMs, longestWallMs } = await longestBlocks(bot);
  const looks: Record<string, number>[] = [];
  for (let count = 0; count < LOOKS; count += 1) {
    await crowd.ask(UPDATES / 1000, Number(atOnce), PATIENCE_MS);
    looks.push(await look());
  }
  const least = (name: string) => Math.min(...looks.map((values) => values[name] ?? Number.NaN));
  const database = readdirSync(folder).map((name) => statSync(join(folder, name)).size);
  return {
    rssMb: least('process_resident_memory_bytes') / MB,
    heapMb: least('nodejs_heap_size_used_bytes') / MB,
    files: least('process_open_fds'),
    databaseMb: database.reduce((sum, bytes) => sum + bytes, 0) / MB,
    blockedMs: longestCpuMs,
    lateMs: longestWallMs,
  };
}

function print(first: string, values: readonly (number | string)[]): void {
  const cells = values.map((value) => (typeof value === 'number' ? value.toFixed(1) : value).padStart(11));
  console.log(first.padEnd(9) + cells.join(''));
}

const startedAt = performance.now();
const steps: Figures[] = [];
await world.polled;
// Loading the bot's code blocks the loop before anybody asks; that does not count.
await longestBlocks(bot);
print('updates', ['RSS MB', 'heap MB', 'open files', 'database MB', 'blocked ms', 'late ms']);
for (let step = 1; step <= STEPS; step += 1) {
  const looked = (UPDATES / 1000) * LOOKS;
  await crowd.ask(UPDATES / STEPS - looked, Number(atOnce), PATIENCE_MS);
  const now = await figures();
  steps.push(now);
  print(String(crowd.tally.asked), Object.values(now));
  if (bot.hasEnded()) throw new Error(`the bot has ended: ${bot.errors()}`);
}

const seconds = (performance.now() - startedAt) / 1000;
const { asked, lost, doubled, wrong, kinds } = crowd.tally;
const ratio = (figure: (values: Figures) => number) => {
  const [first, last] = [steps[0], steps.at(-1)];
  return first === undefined || last === undefined ? Number.NaN : figure(last) / figure(first);
};
const usage = bot.usage();
console.log(`${asked} updates in ${seconds.toFixed(0)} s: ${JSON.stringify(kinds)}`);
console.log(`lost ${lost.length} ${lost.slice(0, 20).join(', ')}, doubled ${doubled}, wrong ${wrong.length}`);
for (const what of wrong.slice(0, 20)) console.log(`  ${what}`);
console.log(
  `memory after all against after a tenth: RSS × ${ratio(({ rssMb }) => rssMb).toFixed(2)}, heap × ${ratio(({ heapMb }) => heapMb).toFixed(2)}`,
);
console.log(
  `highest with its children: ${usage.treeMb.toFixed(0)} MB; longest hold of the loop by own work: ${Math.max(...steps.map(({ blockedMs }) => blockedMs)).toFixed(1)} ms`,
);
await bot.stop();
console.log(`children left: ${childrenLeft()}`);
if (bot.errors() !== '') console.log(bot.errors());
await world.close();
rmSync(folder, { recursive: true, force: true });

/** Processes that still run in the bot's folder. */
function childrenLeft(): number {
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return ids.filter((id) => {
    try {
      return readFileSync(`/proc/${id}/environ`, 'utf8').includes(folder);
    } catch {
      return false;
    }
  }).length;
}
