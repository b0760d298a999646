/** Looks whether the bot runs on this machine at this moment, by its own HTTP side. */
import { z } from 'zod';
import type { Config } from '../app/config.ts';
import { errorCode, type Finding, open, well, wrong } from './finding.ts';

export interface BotBeside {
  readonly finding: Finding;
  readonly isRunning: boolean;
}

const PATIENCE_MS = 5000;

const report = z.object({
  ready: z.boolean(),
  intake: z.string(),
  database: z.string(),
  telegram: z.string(),
  /** Of its circuit, which is closed while all is well. */
  service: z.string(),
  /** What keeps updates away, and what to do about it. */
  problem: z.string().optional(),
});

/** Asks for `/readyz`; where nothing listens, the bot does not run. */
export async function checkBotBeside({ host, port }: Config['http']): Promise<BotBeside> {
  try {
    const answer = await fetch(`http://${reachable(host)}:${port}/readyz`, {
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const { ready, problem, ...parts } = report.parse(await answer.json());
    const service = parts.service === 'closed' ? 'ok' : 'failing';
    const state = Object.entries({ ...parts, service })
      .map(([part, value]) => `${part} ${value}`)
      .join(', ');
    if (ready) return { finding: well(`Bot: it runs here and takes updates (${state})`), isRunning: true };
    const remedy = problem ?? 'its log says why; what is named as failing is checked here, too';
    return { finding: wrong(`Bot: it runs here but takes no updates (${state})`, remedy), isRunning: true };
  } catch (error) {
    if (errorCode(error) === 'ECONNREFUSED') {
      return { finding: open('Bot: it does not run here now', 'npm start'), isRunning: false };
    }
    const text = `Bot: PORT ${port} on HOST ${host} answers, but not as the bot does`;
    return { finding: wrong(text, 'another program has it: choose another PORT'), isRunning: false };
  }
}

/** Where a server that listens on every address is found. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
