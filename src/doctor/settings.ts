/** Checks the settings: all faults of the environment variables at once, the file `.env`, what a day can cost, and who may use the bot. */
import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { type Config, NAMES, SECRETS } from '../app/config.ts';
import { type Finding, isOpenToOthers, open, well, wrong } from './finding.ts';

export function checkSettings(faults: readonly string[]): Finding[] {
  if (faults.length === 0) return [well('Settings: all variables are set and valid')];
  return faults.map((fault) =>
    wrong(`Settings: ${fault}`, 'set it in .env or in the file that it names, as .env.example explains'),
  );
}

/** Reports the most that a day can cost, if there is a limit. */
export function checkMoney({ limits: { budgetYuan }, access }: Config): Finding {
  const asked = access === 'open' ? ', whoever on Telegram asks (ACCESS=open)' : '';
  if (budgetYuan === Number.POSITIVE_INFINITY)
    return open(`Money: there is no limit to what a day costs${asked}`, 'set DAILY_BUDGET_YUAN');
  return well(
    `Money: a day costs at most ${budgetYuan} yuan (DAILY_BUDGET_YUAN; ADMIN_IDS have no limit)${asked}`,
  );
}

/** Of Compose, ffmpeg, Node and the C library. */
const OTHERS = /^(?:COMPOSE_\w+|LOTSAWA_IMAGE|FFMPEG_PATH|NODE_\w+|MALLOC_\w+|TZ|PATH)$/;
/** The form of a setting's name; a line of a secret hardly looks like this. */
const NAME = /^[A-Z]+(?:_[A-Z]+)+$/;

/** Node ends an unquoted value at its first `#`; after a blank, a comment is meant. */
const CUT_OFF = /^[ \t]*(?:export[ \t]+)?(\w+)[ \t]*=(?:[ \t]*[^'"`#\s](?:[^#\n]*[^#\s])?)?#/gm;

export function checkEnvFile(): Finding[] {
  if (!existsSync('.env')) return [];
  const text = readFileSync('.env', 'utf8');
  const findings = checkEnvText(text);
  const holdsSecrets = SECRETS.some((name) => parseEnv(text)[name]);
  if (holdsSecrets && isOpenToOthers('.env'))
    findings.push(wrong('.env: other users of this machine may read the secrets in it', 'chmod 600 .env'));
  return findings;
}

/** Repeats no part of a value, and only names that cannot be part of a secret. */
export function checkEnvText(text: string): Finding[] {
  const cutOff = Array.from(text.matchAll(CUT_OFF), ([, name = '']) => name);
  const unknown = Object.keys(parseEnv(text)).filter((name) => NAME.test(name) && !OTHERS.test(name));
  return [
    ...cutOff
      .filter((name) => NAMES.includes(name))
      .map((name) => wrong(`.env: ${name} is cut off at its #`, "put the value in single quotes: NAME='…'")),
    ...unknown
      .filter((name) => !NAMES.includes(name))
      .map((name) =>
        wrong(
          `.env: ${name} is not a setting of the bot, and has no effect`,
          'see .env.example for its right name, or remove it',
        ),
      ),
  ];
}

export function checkAccess({ access, adminIds }: Config): Finding[] {
  const findings = [
    access === 'members'
      ? well('Access: ACCESS=members, so only people and groups that one of ADMIN_IDS let in are answered')
      : open(
          'Access: ACCESS=open, so everybody in Telegram who finds the bot may use it, and you pay',
          'ACCESS=members in .env, to choose who may; the daily limits (DAILY_…) apply in any case',
        ),
  ];
  if (adminIds.length === 0)
    findings.push(
      open(
        'Access: ADMIN_IDS is empty, so nobody gets alerts or may use /stats, /block and /pause',
        'put your Telegram user id into ADMIN_IDS, and restart the bot (/stats, sent to the bot, tells the id)',
      ),
    );
  return findings;
}
