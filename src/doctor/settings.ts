/** Checks the settings: reports all faults of the environment variables at once, and values in `.env` of which Node reads only a part. */
import { type Config, type ConfigResult, describeFault } from '../app/config.ts';
import { SECRETS, variables } from '../app/config-variables.ts';
import { yuan } from '../paid-calls.ts';
import { type Finding, open, well, wrong } from './finding.ts';
import { PRICES } from './service.ts';

const REMEDY = 'set it in .env, as .env.example explains';
const FILE_REMEDY = 'mend the file so that the bot can read it, or set the variable itself in .env instead';

/** One finding per mistake, or one that all is well. */
export function checkSettings(settings: ConfigResult): Finding[] {
  if (settings.ok) return [well('Settings: every variable is there and well formed')];
  return settings.faults.map((fault) =>
    wrong(`Settings: ${describeFault(fault)}`, fault.variable.endsWith('_FILE') ? FILE_REMEDY : REMEDY),
  );
}

/** Tells the most that a day can cost with these settings, if there is a limit (spec §4). */
export function checkMoney({ limits, adminIds, access }: Config): Finding {
  const { budgetYuan, callsPerUser } = limits;
  const asked = access === 'open' ? ', whoever on Telegram asks for it (ACCESS=open)' : '';
  if (Number.isFinite(budgetYuan)) {
    const calls = Math.floor((100 * budgetYuan) / Math.min(...Object.values(PRICES)));
    const admins = adminIds.length === 0 ? '' : '; for those in ADMIN_IDS there is no limit';
    return well(
      `Money: a day costs at most ${budgetYuan} yuan (DAILY_BUDGET_YUAN), which are ${calls} calls${asked}${admins}`,
    );
  }
  const dearest = Math.max(...Object.values(PRICES));
  const each = Number.isFinite(callsPerUser)
    ? `each person may cause ${callsPerUser} calls, ${yuan(callsPerUser * dearest)} yuan`
    : 'nobody has a limit (DAILY_CALLS_PER_USER)';
  return open(
    `Money: what a day can cost has no end (DAILY_BUDGET_YUAN=0); ${each}${asked}`,
    'set DAILY_BUDGET_YUAN',
  );
}

/** Only these names are repeated: text before any other `=` may be part of a secret. */
const NAMES = new Set([...Object.keys(variables.shape), ...SECRETS.map((name) => `${name}_FILE`)]);

/** Node ends an unquoted value at its first `#`; after a blank, that is meant as a comment. */
const CUT_OFF = /^[ \t]*(?:export[ \t]+)?(\w+)[ \t]*=[ \t]*(?!['"`])(?:(?![ \t]#).)*?(?<=\S)#/gm;

/** Windows' editors write a byte order mark, or UTF-16, which is full of NUL: Node takes either for a part of the first name. */
const NO_PLAIN_UTF8 = /^\uFEFF|\0/;

/** At most one finding per line of `text`; none repeats any part of a value. */
export function checkEnvFile(text: string): Finding[] {
  if (NO_PLAIN_UTF8.test(text))
    return [
      wrong(
        '.env: begins with a byte order mark, or is UTF-16',
        'save it as plain UTF-8 (“UTF-8 without BOM”)',
      ),
    ];
  const names = Array.from(text.matchAll(CUT_OFF), ([, name = '']) => name);
  return names
    .filter((name) => NAMES.has(name))
    .map((name) => wrong(`.env: ${name} is cut off at its #`, "put the value in single quotes: NAME='…'"));
}
