/** People who wait in a line of one length: texts to translate, each answered once, those of a person in their order. */
import { VOCABULARY } from '../../src/bot.ts';
import type { Queue } from '../../src/queue/queue.ts';
import type { NewRequest } from '../../src/queue/request-row.ts';
import { receive } from '../../src/telegram/intake/receipt.ts';
import { chineseOf, markIn } from '../marks.ts';

/** Apart from the ids that Telegram uses in this measurement. */
const FIRST_UPDATE = 1_000_000_000;
const FIRST_PERSON = 10_000;
/** Of one person, one behind the other. */
const IN_A_LANE = 2;
/** As many as one transaction takes in. */
const AT_ONCE = 500;

export interface Line {
  /** Stores this number of updates as the intake does: `IN_A_LANE` of each person, the second behind everybody's first. */
  fill(queue: Queue, count: number): Promise<void>;
  /** A text of the next person, as Telegram delivers it. */
  next(): object;
  /** Takes what a bot has sent; true for an answer that was waited for. */
  answered(chat: number, words: string): boolean;
  readonly answers: number;
  readonly waiting: number;
  /** Answers that came twice, or before one that the same person had asked for earlier. */
  readonly faults: { doubled: number; disordered: number };
}

export function createLine(): Line {
  /** What each person waits for, in order. */
  const waitingFor = new Map<number, number[]>();
  const faults = { doubled: 0, disordered: 0 };
  let nextMark = 1;
  let answers = 0;
  let waiting = 0;

  const ask = (person: number): object => {
    const mark = nextMark++;
    const marks = waitingFor.get(person) ?? [];
    marks.push(mark);
    waitingFor.set(person, marks);
    waiting += 1;
    return textMessage(person, mark);
  };

  return {
    faults,
    get answers() {
      return answers;
    },
    get waiting() {
      return waiting;
    },
    next: () => ask(FIRST_PERSON + nextMark),
    fill: async (queue, count) => {
      const people = Math.ceil(count / IN_A_LANE);
      const first = FIRST_PERSON + nextMark;
      for (let begun = 0; begun < count; begun += AT_ONCE) {
        const updates = Array.from({ length: Math.min(AT_ONCE, count - begun) }, (_, index) =>
          queued(FIRST_UPDATE + nextMark, ask(first + ((begun + index) % people))),
        );
        await queue.push(updates);
      }
    },
    answered: (chat, words) => {
      const mark = markIn(words);
      const marks = waitingFor.get(chat);
      const place = mark === undefined ? -1 : (marks?.indexOf(mark) ?? -1);
      if (marks === undefined || place < 0) {
        faults.doubled += 1;
        return false;
      }
      if (place > 0) faults.disordered += 1;
      marks.splice(place, 1);
      if (marks.length === 0) waitingFor.delete(chat);
      answers += 1;
      waiting -= 1;
      return true;
    },
  };
}

function textMessage(person: number, mark: number): object {
  return {
    date: Math.floor(Date.now() / 1000),
    from: { id: person, is_bot: false, first_name: `P${person}`, language_code: 'en' },
    chat: { id: person, type: 'private', first_name: `P${person}` },
    text: chineseOf(mark),
  };
}

/** As the bot itself reads it at its receipt. */
function queued(update_id: number, message: object): NewRequest {
  const body = { update_id, message: { message_id: update_id, ...message } };
  const found = receive(body, VOCABULARY, undefined).queued;
  if (found === undefined) throw new Error('the bot has no use for this update');
  return found;
}
