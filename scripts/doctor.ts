/** `npm run doctor`: checks a configuration from end to end, one line for each check; the exit code is 1 when anything is wrong. */
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { examine } from '../src/doctor/doctor.ts';
import { describeFinding } from '../src/doctor/finding.ts';
import { PRICE } from '../src/doctor/service.ts';
import { environment } from './command.ts';

const USAGE = `npm run doctor                    checks everything that costs nothing
npm run doctor -- --paid          also makes one paid call of each kind: ${PRICE}; asks first
npm run doctor -- --paid --yes    the same without asking`;

const wishes = readWishes();
if (wishes === undefined || wishes.help) {
  console.log(USAGE);
  process.exit(wishes === undefined ? 1 : 0);
}
const mayPay = wishes.paid && (wishes.yes || (await isAgreed()));

let isWell = true;
const env = environment();
for await (const finding of examine(env, mayPay)) {
  console.log(describeFinding(finding));
  if (finding.verdict === 'wrong') isWell = false;
}
console.log(isWell ? '\nAll is well.' : '\nFix what is marked ✗.');
process.exit(isWell ? 0 : 1);

function readWishes() {
  const none = { type: 'boolean', default: false } as const;
  try {
    return parseArgs({ options: { paid: none, yes: none, help: none } }).values;
  } catch {
    return undefined;
  }
}

async function isAgreed(): Promise<boolean> {
  if (!process.stdin.isTTY) {
    console.error(`--paid spends money (${PRICE}): without a terminal, confirm it with --paid --yes.`);
    process.exit(1);
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(`This makes paid calls: ${PRICE}. Continue? [y/N] `);
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}
