/** Thousands of people who ask for everything that the bot can do, each as soon as somebody else was answered. */
import { chineseOf, marked, translationOf } from './marks.ts';
import type { Seen } from './world.ts';

export interface Tally {
  asked: number;
  answered: number;
  /** What was given up waiting for, by kind. */
  readonly lost: string[];
  doubled: number;
  /** What came instead of an answer. */
  readonly wrong: string[];
  /** By kind, how often it was asked for. */
  readonly kinds: Record<string, number>;
}

export interface Crowd {
  readonly tally: Tally;
  /** Asks for so much, so many at a time; resolves when all is answered, or when nothing was for `patienceMs`. */
  ask(count: number, atOnce: number, patienceMs: number): Promise<void>;
  seen(seen: Seen): void;
}

interface Plan {
  readonly kind: Kind;
  /** The chat, or the inline query, in which the answer is to come. */
  readonly where: string;
  readonly mark: number;
  /** The method that answers it. */
  readonly answeredBy: string;
  /** The id of its message. */
  readonly message: number;
  readonly update: object;
}

interface Answered {
  readonly mark: number;
  readonly question: number;
  readonly answer: number;
}

const PEOPLE = 2000;
const GROUPS = 200;
const FIRST_PERSON = 10_000;
const MENTION = '@soak_bot';
const BOT = { id: 123_456_789, is_bot: true, first_name: 'Soak', username: 'soak_bot' };

/** Of a hundred requests; edits, presses and repeated texts become new texts while there is nothing to edit, press or repeat. */
const MIX = {
  text: 56,
  repeated: 10,
  group: 10,
  inline: 6,
  press: 5,
  edit: 5,
  photo: 3,
  redrawn: 1,
  speech: 2,
  sticker: 2,
} as const;
type Kind = keyof typeof MIX;
const KINDS = Object.keys(MIX) as Kind[];
const DRAWN = KINDS.flatMap((kind) => Array<Kind>(MIX[kind]).fill(kind));
/** So many answered texts are known for repeating. */
const KEPT_MARKS = 500;
const SPEAK = { type: 'bot_command', offset: 0, length: '/speak'.length };

/** `deliver` takes an update without its id. */
export function createCrowd(deliver: (update: object) => void): Crowd {
  const tally: Tally = { asked: 0, answered: 0, lost: [], doubled: 0, wrong: [], kinds: {} };
  const open = new Map<string, Plan>();
  const lastOf = new Map<number, Answered>();
  const answeredMarks: number[] = [];
  let nextMark = 1;
  let nextPicture = 1;
  let nextMessage = 1;
  let onAnswer = (): void => {};

  const freePerson = (): number => {
    for (;;) {
      const person = FIRST_PERSON + Math.floor(Math.random() * PEOPLE);
      if (!open.has(String(person))) return person;
    }
  };

  const say = (
    kind: Kind,
    person: number,
    mark: number,
    content: object,
    answeredBy = 'sendMessage',
  ): Plan => {
    const message = nextMessage++;
    const update = { message: { ...head(person, message), ...content } };
    return { kind, where: String(person), mark, answeredBy, message, update };
  };
  const text = (person: number, mark: number): Plan => say('text', person, mark, { text: chineseOf(mark) });
  const picture = (kind: 'photo' | 'redrawn', person: number): Plan => {
    const mark = nextPicture++;
    const file_id = `${kind}-${mark}`;
    const file = { file_id, file_unique_id: file_id, file_size: 2000, width: 100, height: 100 };
    const content = kind === 'photo' ? { photo: [file] } : { document: { ...file, mime_type: 'image/webp' } };
    return say(kind, person, mark, content);
  };

  /** Each gives nothing where it cannot be asked for just now. */
  const plans: Record<Kind, (person: number, mark: number) => Plan | undefined> = {
    text,
    repeated: (person) => {
      const known = answeredMarks[Math.floor(Math.random() * answeredMarks.length)];
      return known === undefined ? undefined : say('repeated', person, known, { text: chineseOf(known) });
    },
    group: (person, mark) => {
      const id = -1 - (mark % GROUPS);
      if (open.has(String(id))) return undefined;
      const entities = [{ type: 'mention', offset: 0, length: MENTION.length }];
      const chat = { id, type: 'group', title: 'Soakers' };
      const plan = say('group', person, mark, { chat, text: `${MENTION} ${chineseOf(mark)}`, entities });
      return { ...plan, where: String(id) };
    },
    inline: (person, mark) => {
      // One at a time: the bot answers only the newest of a person's.
      const where = `inline-${person}`;
      if (open.has(where)) return undefined;
      const inline_query = { id: where, from: user(person), query: chineseOf(mark), offset: '' };
      return {
        kind: 'inline',
        where,
        mark,
        answeredBy: 'answerInlineQuery',
        message: 0,
        update: { inline_query },
      };
    },
    press: (person) => {
      const last = lastOf.get(person);
      if (last === undefined) return undefined;
      const { mark, answer: message_id } = last;
      const message = { message_id, date: 1, chat: chatOf(person), from: BOT, text: translationOf(mark) };
      const pressed = { id: `press-${nextMessage++}`, from: user(person), chat_instance: '1', message };
      const update = { callback_query: { ...pressed, data: 'translate' } };
      return { kind: 'press', where: String(person), mark, answeredBy: 'sendMessage', message: 0, update };
    },
    edit: (person, mark) => {
      const last = lastOf.get(person);
      if (last === undefined) return undefined;
      lastOf.delete(person);
      const update = {
        edited_message: { ...head(person, last.question), edit_date: 2, text: chineseOf(mark) },
      };
      return { kind: 'edit', where: String(person), mark, answeredBy: 'editMessageText', message: 0, update };
    },
    photo: (person) => picture('photo', person),
    redrawn: (person) => picture('redrawn', person),
    speech: (person, mark) => {
      const content = { text: `/speak amdo ${translationOf(mark)}`, entities: [SPEAK] };
      return say('speech', person, mark, content, 'sendVoice');
    },
    sticker: (person) =>
      say('sticker', person, 0, { sticker: { file_id: 's', file_unique_id: 's', width: 1, height: 1 } }),
  };

  const askOne = (): void => {
    const kind = DRAWN[Math.floor(Math.random() * DRAWN.length)] ?? 'text';
    const person = freePerson();
    const mark = nextMark++;
    const plan = plans[kind](person, mark) ?? text(person, mark);
    open.set(plan.where, plan);
    tally.asked += 1;
    tally.kinds[plan.kind] = (tally.kinds[plan.kind] ?? 0) + 1;
    deliver(plan.update);
  };

  return {
    tally,
    seen: ({ method, where, words, messageId }) => {
      const question = open.get(where);
      if (question === undefined) {
        tally.doubled += 1;
        return;
      }
      const { kind, mark, answeredBy, message } = question;
      if (method !== answeredBy || (kind !== 'sticker' && !words.includes(marked(mark)))) {
        tally.wrong.push(`${kind} ${mark}: ${method} ${words.slice(0, 60)}`);
        return;
      }
      open.delete(where);
      tally.answered += 1;
      if (kind === 'text') {
        lastOf.set(Number(where), { mark, question: message, answer: messageId });
        answeredMarks[mark % KEPT_MARKS] = mark;
      }
      onAnswer();
    },
    ask: (count, atOnce, patienceMs) =>
      new Promise((resolve) => {
        let left = count;
        const giveUp = (): void => {
          tally.lost.push(...[...open.values()].map(({ kind, mark }) => `${kind} ${mark}`));
          open.clear();
          resolve();
        };
        let patience = setTimeout(giveUp, patienceMs);
        onAnswer = () => {
          clearTimeout(patience);
          patience = setTimeout(giveUp, patienceMs);
          while (left > 0 && open.size < atOnce) {
            left -= 1;
            askOne();
          }
          if (left === 0 && open.size === 0) {
            clearTimeout(patience);
            resolve();
          }
        };
        onAnswer();
      }),
  };
}

function user(id: number) {
  return { id, is_bot: false, first_name: 'P', language_code: 'en' };
}

function chatOf(person: number) {
  return { id: person, type: 'private', first_name: 'P' };
}

function head(person: number, message_id: number) {
  return { message_id, date: 1, from: user(person), chat: chatOf(person) };
}
