/** Checks the machine: Node, an ffmpeg that makes voice notes, and whether a bot already runs on it. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { z } from 'zod';
import type { Config } from '../app/config.ts';
import { listenProblem } from '../app/http/server.ts';
import { isFailure } from '../errors.ts';
import { probeFfmpeg } from '../media/voice/opus.ts';
import { errorCode, type Finding, open, well, wrong } from './finding.ts';

/** Needed for TypeScript without flags, and `await using`. */
const MIN_NODE = 24;

/** `version` as in `process.versions.node`. */
export function checkNode(version: string): Finding {
  if (Number.parseInt(version, 10) >= MIN_NODE) return well(`Node: ${version}`);
  const remedy = `npm run doctor and npm start install Node ${MIN_NODE} by themselves; otherwise install it`;
  return wrong(`Node: ${version} is too old; the bot needs ${MIN_NODE} or newer`, remedy);
}

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
/** Errors without any answer; with any other error, something answers that is not the bot. */
const NO_ANSWER: ReadonlySet<string> = new Set([
  'timed out',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EADDRNOTAVAIL',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

const report = z.object({
  ready: z.boolean(),
  intake: z.string(),
  database: z.string(),
  telegram: z.string(),
  service: z.object({ state: z.enum(['up', 'down']) }),
  /** Why no updates arrive, and the remedy. */
  problem: z.string().optional(),
});

/** Requests `/readyz`; if nothing listens, the bot is not running. */
export async function checkBotBeside({ host, port }: Config['http']): Promise<BotBeside> {
  try {
    const answer = await fetch(`http://${reachable(host)}:${port}/readyz`, {
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const { ready, problem, ...parts } = report.parse(await answer.json());
    const state = Object.entries({ ...parts, service: parts.service.state })
      .map(([part, value]) => `${part} ${value}`)
      .join(', ');
    if (ready) return { finding: well(`Bot: running, and taking updates (${state})`), isRunning: true };
    const remedy = problem ?? 'its log says why; what is failing is checked here, too';
    return { finding: wrong(`Bot: running, but taking no updates (${state})`, remedy), isRunning: true };
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ECONNREFUSED') {
      const problem = await portProblem(host, port);
      const text = 'Bot: not running';
      const finding =
        problem === undefined ? open(text, 'npm start') : wrong(`${text}, and cannot start`, problem);
      return { finding, isRunning: false };
    }
    if (NO_ANSWER.has(code)) {
      const text = `Bot: PORT ${port} on HOST ${host} does not answer (${code})`;
      const remedy = 'check that HOST is an address of this machine; restart a bot that does not answer';
      return { finding: wrong(text, remedy), isRunning: false };
    }
    const text = `Bot: PORT ${port} on HOST ${host} is in use by another program`;
    return { finding: wrong(text, 'choose another PORT, or stop that program'), isRunning: false };
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
