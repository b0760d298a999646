/** A terminal with the bot started in it, as a person has one: by the `script` that every Debian has. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { type BotFolder, COMPILED } from './bot-process.ts';

const MAIN = fileURLToPath(new URL('../src/main.mjs', import.meta.url));

interface BotInTerminal {
  /** The terminal's text, without colours. */
  screen(): string;
  /** Resolves once these words stand there; rejects when the bot ends without them. */
  shows(words: string): Promise<void>;
  pressCtrlC(): void;
  /** The bot's exit code. */
  readonly exited: Promise<number | null>;
}

/** Starts the bot with these settings alone, by this command of a shell. */
export function startInTerminal(
  env: Record<string, string>,
  folder: Pick<BotFolder, 'path'>,
  command = `exec '${process.execPath}' '${MAIN}'`,
): BotInTerminal {
  const terminal = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    env: { ...COMPILED, ...env },
    cwd: folder.path,
  });
  let output = '';
  terminal.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const screen = () => stripVTControlCharacters(output).replaceAll('\r', '');
  const exited = once(terminal, 'close').then(() => terminal.exitCode);
  return {
    screen,
    shows: async (words) => {
      const ended = exited.then(() => true);
      while (!screen().includes(words)) {
        const hasEnded = await Promise.race([ended, once(terminal.stdout, 'data').then(() => false)]);
        if (hasEnded && !screen().includes(words)) throw new Error(`ended without: ${words}\n${screen()}`);
      }
    },
    pressCtrlC: () => terminal.stdin.write('\x03'),
    exited,
  };
}
