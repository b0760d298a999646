/** Checks the machine: an ffmpeg that makes voice notes, and whether a bot already runs on it. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { z } from 'zod';
import type { Config } from '../app/config.ts';
import { listenProblem } from '../app/http.ts';
import { probeFfmpeg } from '../media/voice/opus.ts';
import { type Finding, open, reasonOf, well, wrong } from './finding.ts';

/** Runs ffmpeg and checks what it can do. */
export async function checkFfmpeg(): Promise<Finding> {
  try {
    await probeFfmpeg();
    return well('ffmpeg: runs, and encodes Opus');
  } catch (error) {
    return wrong(`ffmpeg: ${reasonOf(error)}`, 'sudo apt-get install ffmpeg (macOS: brew install ffmpeg)');
  }
}

interface PortCheck {
  readonly finding: Finding;
  readonly isRunning: boolean;
}

const PATIENCE_MS = 5000;

/** What `/readyz` says; `problem`: why no updates arrive, and the remedy. */
const readiness = z.object({ ready: z.boolean(), problem: z.string().optional() });

/** Requests `/readyz`; without its report, finds out whether the bot could listen there. */
export async function checkPort({ host, port }: Config['http']): Promise<PortCheck> {
  const address = `http://${host.includes(':') ? `[${host}]` : host}:${port}/readyz`;
  try {
    const answer = await fetch(address, { signal: AbortSignal.timeout(PATIENCE_MS) });
    const { ready, problem } = readiness.parse(await answer.json());
    const finding = ready
      ? well('Bot: running, and taking updates')
      : wrong('Bot: running, but taking no updates', problem ?? `see ${address} and its log`);
    return { finding, isRunning: true };
  } catch {
    // Nothing answers, or another program does.
  }
  const server = createServer();
  try {
    await once(server.listen({ host, port }), 'listening');
    return { finding: open('Bot: not running', 'npm start'), isRunning: false };
  } catch (error) {
    const problem = listenProblem(error, host, port);
    return { finding: wrong('Bot: not running, and cannot start', problem), isRunning: false };
  } finally {
    server.close();
  }
}
