/** Checks the machine: an ffmpeg that makes voice notes, and whether a bot already runs on it. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { z } from 'zod';
import type { Config } from '../app/config.ts';
import { listenProblem } from '../app/http/server.ts';
import { isFailure } from '../errors.ts';
import { probeFfmpeg } from '../media/voice/opus.ts';
import { errorCode, type Finding, open, well, wrong } from './finding.ts';

/** Runs ffmpeg and checks what it can do. */
export async function checkFfmpeg(): Promise<Finding> {
  try {
    await probeFfmpeg();
    return well('ffmpeg: runs, and encodes Opus');
  } catch (error) {
    const reason = isFailure(error, 'audio') ? error.message : errorCode(error);
    return wrong(`ffmpeg: ${reason}`, 'sudo apt-get install ffmpeg (macOS: brew install ffmpeg)');
  }
}

interface BotBeside {
  readonly finding: Finding;
  readonly isRunning: boolean;
}

const PATIENCE_MS = 5000;

const readiness = z.object({
  ready: z.boolean(),
  intake: z.string(),
  database: z.string(),
  telegram: z.string(),
  service: z.object({ state: z.enum(['up', 'down']) }),
  /** Why no updates arrive, and the remedy. */
  problem: z.string().optional(),
});

/** Requests `/readyz`; without its report, finds out whether the bot could listen there. */
export async function checkBotBeside({ host, port }: Config['http']): Promise<BotBeside> {
  const report = await reportAt(`http://${reachable(host)}:${port}/readyz`);
  if (report === undefined) {
    const problem = await portProblem(host, port);
    const text = 'Bot: not running';
    const finding =
      problem === undefined ? open(text, 'npm start') : wrong(`${text}, and cannot start`, problem);
    return { finding, isRunning: false };
  }
  const { ready, problem, ...parts } = report;
  const state = Object.entries({ ...parts, service: parts.service.state })
    .map(([part, value]) => `${part} ${value}`)
    .join(', ');
  if (ready) return { finding: well(`Bot: running, and taking updates (${state})`), isRunning: true };
  const remedy = problem ?? 'its log says why; what is failing is checked here, too';
  return { finding: wrong(`Bot: running, but taking no updates (${state})`, remedy), isRunning: true };
}

/** Undefined if nothing answers, or another program does. */
async function reportAt(address: string): Promise<z.infer<typeof readiness> | undefined> {
  try {
    const answer = await fetch(address, { signal: AbortSignal.timeout(PATIENCE_MS) });
    return readiness.parse(await answer.json());
  } catch {
    return undefined;
  }
}

/** Returns why the bot could not listen there, and what to do. */
async function portProblem(host: string, port: number): Promise<string | undefined> {
  const server = createServer();
  try {
    server.listen({ host, port });
    await once(server, 'listening');
    return undefined;
  } catch (error) {
    return listenProblem(error, host, port);
  } finally {
    server.close();
  }
}

/** Returns the address that reaches a server listening on every address. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
