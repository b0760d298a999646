/**
 * Prints the size of the project, its tables and its state in memory, and how many files and functions a request runs through; sets no
 * limits. `--ways` also names the files, `--state` the maps and sets.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Person } from '../sandbox/telegram/person.ts';
import { baseline } from '../src/store/schema.ts';
import { aJpeg } from '../test/pictures.ts';
import { type Scene, startScene } from '../test/scene.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const SHORT = 30;
/** How long a bot registers its menus and tests its encoder, at most, in ms. */
const BACKGROUND_MS = 5000;
/** How long a request still runs once its answer is seen, at most, in ms: it is marked as done, its entry is settled. */
const END_MS = 500;
const AROUND = { sandbox: 'sandbox/**/*.ts', bench: 'bench/**/*.ts', tests: 'test/**/*.ts' };

await printSize();
await printWays();

/** Prints lines and files of the core: everything but the sandbox, the tests and the bench. */
async function printSize(): Promise<void> {
  const paths: string[] = [];
  for await (const path of glob(['src/**/*.{ts,mjs}', 'handlers/**/*.ts'], { cwd: root })) paths.push(path);
  const lines = new Map(
    paths.map((path) => [path, readFileSync(join(root, path), 'utf8').split('\n').length - 1]),
  );
  const sorted = [...lines.values()].sort((one, other) => one - other);
  const total = sorted.reduce((sum, length) => sum + length, 0);
  const short = [...lines].filter(([path, length]) => length < SHORT && !path.startsWith('handlers/'));
  const importers = countImporters(paths);
  const once = [...importers.values()].filter((count) => count === 1).length;
  const texts = paths.map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
  const tables = baseline('postgres').filter((statement) => /^create table /.test(statement)).length;
  const state = texts.flatMap(({ path, text }) => stateIn(text).map((name) => `${path}: ${name}`));
  console.log(
    `core: ${total} lines in ${sorted.length} files, median ${sorted[Math.floor(sorted.length / 2)]}; ` +
      `${short.length} files of under ${SHORT} lines (handlers aside), ${once} imported by exactly one other`,
  );
  const statements = texts.reduce((sum, { text }) => sum + countStatements(text), 0);
  console.log(
    `${statements} statements, ${tables} tables, ${state.length} maps and sets that live as long as the process`,
  );
  const around = await Promise.all(
    Object.entries(AROUND).map(async ([name, pattern]) => `${name} ${await countLines(pattern)}`),
  );
  console.log(`lines of TypeScript around the core: ${around.join(', ')}`);
  if (process.argv.includes('--state')) console.log(state.map((one) => `  ${one}`).join('\n'));
}

async function countLines(pattern: string): Promise<number> {
  let count = 0;
  for await (const path of glob(pattern, { cwd: root }))
    count += readFileSync(join(root, path), 'utf8').split('\n').length - 1;
  return count;
}

/** Counts lines, without imports, comments, blank lines and lone brackets. */
function countStatements(text: string): number {
  const code = text.replaceAll(/^[ \t]*\/\*[\s\S]*?\*\/[ \t]*$/gm, '').replaceAll(/^import [\s\S]*?;$/gm, '');
  return code.split('\n').filter((line) => !/^\s*(?:\/\/.*|[\])}>;,]*)$/.test(line)).length;
}

/** Finds the maps and sets that begin empty in a module, a class, or a function that makes something lasting (`createX`, `openX`). */
function stateIn(text: string): string[] {
  const found: string[] = [];
  let isLasting = false;
  for (const line of text.split('\n')) {
    const [, kind, name = ''] = /^(?:export )?(?:async )?(class|function) (\w+)/.exec(line) ?? [];
    if (kind !== undefined) isLasting = kind === 'class' || /^(?:create|open)/.test(name);
    const [, indent = '', own] =
      /^( *)(?:(?:readonly|const|let) )*(#?\w+)(?:: [^=]+)? = new (?:Weak)?(?:Map|Set)(?:<.*>)?\(\);$/.exec(
        line,
      ) ?? [];
    if (own !== undefined && (indent === '' || (isLasting && indent.length === 2))) found.push(own);
  }
  return found;
}

/** Counts the files that import each file. */
function countImporters(paths: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const path of paths) {
    const text = readFileSync(join(root, path), 'utf8');
    const imported = new Set(
      [...text.matchAll(/from '(\.[^']+)'/g)].map(([, to = '']) => join(path, '..', to)),
    );
    for (const to of imported) counts.set(to, (counts.get(to) ?? 0) + 1);
  }
  return counts;
}

/** Prints the files that run between a request and its answer, in a bot that has answered such a request before. */
async function printWays(): Promise<void> {
  const answerFile = join(tmpdir(), `files-run-${process.pid}`);
  const probe = fileURLToPath(new URL('../bench/inside/files-run.mjs', import.meta.url));
  const scene = await startScene({ env: { NODE_OPTIONS: `--import=${probe}`, FILES_RUN: answerFile } });
  try {
    // What a start does in the background is no part of a way.
    await sleep(BACKGROUND_MS);
    await printWay(scene, answerFile, 'a text', (person, time) => scene.ask(person, `བཀྲ་ཤིས་བདེ་ལེགས། ${time}`));
    await printWay(scene, answerFile, 'an album', async (person) => {
      const photos = [{ bytes: await aJpeg() }, { bytes: await aJpeg() }];
      const [first] = await person.sendAlbum(person.chat, photos);
      if (first !== undefined) await scene.answerTo(first);
    });
    await printWay(scene, answerFile, '/speak on a photo', async (person) => {
      const sent = await person.sendPhoto(person.chat, await aJpeg(), { caption: '/speak amdo' });
      await scene.answerTo(sent, ({ voice }) => voice !== undefined);
    });
  } finally {
    await scene.close();
    rmSync(answerFile, { force: true });
  }
}

async function printWay(
  scene: Scene,
  answerFile: string,
  name: string,
  ask: (person: Person, time: number) => Promise<unknown>,
): Promise<void> {
  await ask(scene.newcomer(), 1);
  await takeFiles(scene, answerFile);
  await ask(scene.newcomer(), 2);
  const files = await takeFiles(scene, answerFile);
  const functions = files.reduce((sum, file) => sum + Number(file.split('\t')[1]), 0);
  console.log(`${name} runs through ${files.length} files and ${functions} functions`);
  if (process.argv.includes('--ways')) console.log(files.map((file) => `  ${file}`).join('\n'));
}

async function takeFiles(scene: Scene, answerFile: string): Promise<string[]> {
  await sleep(END_MS);
  rmSync(answerFile, { force: true });
  process.kill(scene.bot().pid ?? 0, 'SIGUSR2');
  await scene.telegram.world.waitUntil(() => existsSync(answerFile));
  return readFileSync(answerFile, 'utf8').split('\n').sort();
}
