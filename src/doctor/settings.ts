/** Checks the environment variables: every fault at once. */
import { type ConfigResult, describeFault } from '../app/config.ts';
import { type Finding, well, wrong } from './finding.ts';

const REMEDY = 'set it in .env, as .env.example explains';

/** One finding for each mistake, or one that there is none. */
export function checkSettings(settings: ConfigResult): Finding[] {
  if (settings.ok) return [well('Settings: every variable is there and well formed')];
  return settings.faults.map((fault) => wrong(`Settings: ${describeFault(fault)}`, REMEDY));
}
