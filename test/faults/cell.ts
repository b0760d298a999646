/** One cell of the fault matrix: somebody asks for something, one call of it breaks in one way, and this is what came of it. */
import type { Message } from '../../sandbox/telegram/objects.ts';
import type { NewPerson } from '../../sandbox/telegram/person.ts';
import type { InterfaceLanguage } from '../../src/language/interface-language.ts';
import { says } from '../phrases.ts';
import { type Errand, languageOf } from './errands.ts';
import type { Breakage, FaultProxy } from './fault-proxy.ts';
import type { Account, Stage } from './stage.ts';

export interface Cell {
  /** Which call breaks: the last part of its path, as in `Rule`. */
  readonly call: string;
  /** Where it breaks. */
  readonly proxy: (stage: Stage) => FaultProxy;
  readonly errand: Errand;
  readonly breakage: Breakage;
  /** How many calls break; default 1. */
  readonly times?: number;
  /** Who asks; in English unless said otherwise. */
  readonly person?: Partial<NewPerson>;
}

/** A cell in which no call breaks, for what breaks elsewhere. */
export function unbroken(errand: Errand): Cell {
  return { call: 'none', errand, breakage: () => {}, proxy: ({ toBase }) => toBase };
}

export interface Outcome {
  /** What the person got first: `answer`, or the id of the words that said why not. */
  readonly told: string;
  /** How many calls broke. */
  readonly broken: number;
  /** All that the bot has said to it, once it had nothing more to say. */
  readonly messages: readonly Message[];
  /** How many of these are the answer asked for: 1, unless it came twice or not at all. */
  readonly answers: number;
  /** What the ledger says of the person. */
  readonly account: Account;
  /** How many calls the service charged for. */
  readonly charged: number;
}

/** What is said of a file that does not come whole. */
export const FILE_FAILURES = ['file-gone', 'file-unfetched', 'file-unserved', 'image-unreadable'].map(
  (kind) => `failure-${kind}`,
);
/** Everything by which the bot says that something went wrong. */
const NO_ANSWER = [
  ...[
    'too-long',
    'bad-request',
    'unavailable',
    'in-doubt',
    'undelivered',
    'audio',
    'database',
    'unforeseen',
  ].map((kind) => `failure-${kind}`),
  ...FILE_FAILURES,
  'given-up',
];

/** As long as a silent Telegram is waited for, and what follows, in ms. */
const PATIENCE_MS = 170_000;

/** The time limit of a test that waits for one cell, in ms. */
export const CELL_TIMEOUT_MS = PATIENCE_MS + 10_000;

let nextPerson = 6_000_001;
/** Everybody with an errand here may be an admin, for admins' commands. */
export const ADMIN_IDS = Array.from({ length: 999 }, (_, index) => nextPerson + index).join(',');

/** Has somebody new do the errand, and waits until all is over. */
export async function runCell(stage: Stage, cell: Cell): Promise<Outcome> {
  const { telegram } = stage;
  const person = stage.newcomer({ ...cell.person, id: nextPerson++ });
  const ready = await cell.errand(stage, person);
  const message = await ready.begin();
  // After the message, since some marks are known only then (a file's id); in time, since the bot has yet to fetch the update.
  const { call, breakage, times } = cell;
  const rule = cell.proxy(stage).breakNext({ call, mark: ready.mark(), breakage, times });
  const fromBot = () =>
    telegram.world
      .messages(message.chat)
      .filter(({ from, message_id }) => from?.is_bot && message_id > message.message_id);
  const told = await telegram.world.waitUntil(() => {
    const answers = fromBot();
    const { edited } = ready;
    const isEdited = edited !== undefined && telegram.world.message(edited)?.text !== edited.text;
    if (isEdited || answers.some(ready.isAnswer)) return 'answer';
    return answers.flatMap((answer) => failureIn(answer, languageOf(person)) ?? [])[0];
  }, PATIENCE_MS);
  // One person's requests are handled in order: with the next one answered, nothing earlier is under way.
  const help = says('help', languageOf(person));
  const after = person.send(person.chat, { text: '/help' });
  await telegram.world.waitForMessage(person.chat, ({ text }) => text === help, {
    after,
    timeoutMs: PATIENCE_MS,
  });
  rule.end();
  const messages = fromBot();
  // A success is written down a moment after its answer.
  await telegram.world.waitUntil(() => stage.account(person.id).begun === 0);
  return {
    told,
    broken: rule.broken(),
    messages,
    answers: messages.filter(ready.isAnswer).length,
    account: stage.account(person.id),
    charged: stage.charged(ready.text),
  };
}

function failureIn({ text }: Message, language: InterfaceLanguage): string | undefined {
  return NO_ANSWER.find((id) => says(id, language) === text);
}
