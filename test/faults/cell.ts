/** One cell of the fault matrix: somebody asks for something, one call of it breaks in one way, and this is what came of it. */

import type { Message } from '../../src/sandbox/telegram/objects.ts';
import type { NewPerson, Person } from '../../src/sandbox/telegram/person.ts';
import { says } from '../phrases.ts';
import { type Errand, languageOf } from './errands.ts';
import type { Breakage, FaultProxy } from './fault-proxy.ts';
import type { Account, Stage } from './stage.ts';

export interface Cell {
  readonly call: string;
  readonly fault: string;
  readonly proxy: (stage: Stage) => FaultProxy;
  readonly errand: Errand;
  readonly breakage: Breakage;
  /** How many calls break; default 1. */
  readonly times?: number;
  /** Who asks; in English unless said otherwise. */
  readonly person?: Partial<NewPerson>;
}

export interface Outcome {
  /** What the person got first: `answer`, or the id of the words that said why not. */
  readonly told: string;
  /** How many calls broke. */
  readonly broken: number;
  /** All that the bot has said to it, once it had nothing more to say. */
  readonly messages: readonly Message[];
  readonly answers: number;
  /** What the ledger says of the person, and how many calls the service charged them. */
  readonly account: Account;
  readonly charged: number;
}

/** Everything by which the bot says that something went wrong. */
const FAILURES = [
  ...['auth', 'quota', 'too-long', 'bad-request', 'unavailable', 'in-doubt', 'image-unreadable'],
  ...['image-too-large', 'file-too-large', 'file-gone', 'audio', 'ledger', 'unforeseen'],
].map((kind) => `failure-${kind}`);
const NO_ANSWER = [...FAILURES, 'given-up'];

/** As long as a silent Telegram is waited for, and what follows, in ms. */
const PATIENCE_MS = 170_000;

/** The time limit of a test that waits for one cell, in ms. */
export const CELL_TIMEOUT_MS = PATIENCE_MS + 10_000;

let nextPerson = 6_000_001;
/** Whoever has an errand here may be an operator, for the commands that are theirs alone. */
export const ADMIN_IDS = Array.from({ length: 999 }, (_, index) => nextPerson + index).join(',');

/** Has somebody new do the errand, and waits until all is over. */
export async function runCell(stage: Stage, cell: Cell): Promise<Outcome> {
  const { scene } = stage;
  const person = scene.newcomer({ ...cell.person, id: nextPerson++ });
  const ready = await cell.errand(stage, person);
  // Where the mark is known only then, nothing can have been called yet: the update is still to be fetched.
  const message = await ready.begin();
  const times = cell.times === undefined ? {} : { times: cell.times };
  const rule = cell
    .proxy(stage)
    .breakNext({ call: cell.call, mark: ready.mark(), breakage: cell.breakage, ...times });
  const told = await scene.telegram.world.waitUntil(() => {
    const answers = scene.telegram.world
      .messages(message.chat)
      .filter(({ from, message_id }) => from?.is_bot && message_id > message.message_id);
    const { edited } = ready;
    const isEdited = edited !== undefined && scene.telegram.world.message(edited)?.text !== edited.text;
    if (isEdited || answers.some(ready.isAnswer)) return 'answer';
    return answers.flatMap((answer) => failureIn(answer, languageOf(person)) ?? [])[0];
  }, PATIENCE_MS);
  await isAnsweredNext(stage, person);
  rule.end();
  const messages = scene.telegram.world
    .messages(message.chat)
    .filter(({ from, message_id }) => from?.is_bot && message_id > message.message_id);
  return {
    told,
    broken: rule.broken(),
    messages,
    answers: messages.filter(ready.isAnswer).length,
    account: stage.account(person.id),
    charged: stage.charged(ready.text),
  };
}

/** One person's requests are handled in order: with the next one answered, nothing earlier is under way. */
async function isAnsweredNext({ scene }: Stage, person: Person): Promise<void> {
  const help = says('help', languageOf(person));
  const after = person.send(person.chat, { text: '/help' });
  await scene.telegram.world.waitForMessage(person.chat, ({ text }) => text === help, {
    after,
    timeoutMs: PATIENCE_MS,
  });
}

function failureIn({ text }: Message, language: 'en' | 'zh' | 'bo'): string | undefined {
  return NO_ANSWER.find((id) => says(id, language) === text);
}
