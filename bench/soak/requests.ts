/** Everything that people ask of the bot in the soak, and how often each of it. */
import { chineseOf, translationOf } from '../marks.ts';

/** One request, and what its answer looks like. */
export interface Request {
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

export interface Requests {
  /** The next one, of somebody who waits for no answer. */
  draw(): Request;
  /** It was answered with the message of this id: what was asked can be repeated, edited or pressed from now on. */
  answered(request: Request, messageId: number): void;
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
export type Kind = keyof typeof MIX;
const KINDS = Object.keys(MIX) as Kind[];
const DRAWN = KINDS.flatMap((kind) => Array<Kind>(MIX[kind]).fill(kind));
/** Maximum of answered texts that may be repeated. */
const KEPT_MARKS = 500;
const SPEAK = { type: 'bot_command', offset: 0, length: '/speak'.length };

/** `isOpen` returns whether an answer is expected in a chat, or an inline query. */
export function createRequests(isOpen: (where: string) => boolean): Requests {
  const lastOf = new Map<number, Answered>();
  const answeredMarks: number[] = [];
  let nextMark = 1;
  let nextPicture = 1;
  let nextMessage = 1;

  const freePerson = (): number => {
    for (;;) {
      const person = FIRST_PERSON + Math.floor(Math.random() * PEOPLE);
      if (!isOpen(String(person))) return person;
    }
  };

  const say = (
    kind: Kind,
    person: number,
    mark: number,
    content: object,
    answeredBy = 'sendMessage',
  ): Request => {
    const message = nextMessage++;
    const update = { message: { ...head(person, message), ...content } };
    return { kind, where: String(person), mark, answeredBy, message, update };
  };
  const text = (person: number, mark: number): Request =>
    say('text', person, mark, { text: chineseOf(mark) });
  const picture = (kind: 'photo' | 'redrawn', person: number): Request => {
    const mark = nextPicture++;
    const file_id = `${kind}-${mark}`;
    const file = { file_id, file_unique_id: file_id, file_size: 2000, width: 100, height: 100 };
    const content = kind === 'photo' ? { photo: [file] } : { document: { ...file, mime_type: 'image/webp' } };
    return say(kind, person, mark, content);
  };

  /** Each returns undefined where it cannot be asked for now. */
  const requests: Record<Kind, (person: number, mark: number) => Request | undefined> = {
    text,
    repeated: (person) => {
      const known = answeredMarks[Math.floor(Math.random() * answeredMarks.length)];
      return known === undefined ? undefined : say('repeated', person, known, { text: chineseOf(known) });
    },
    group: (person, mark) => {
      const id = -1 - (mark % GROUPS);
      if (isOpen(String(id))) return undefined;
      const entities = [{ type: 'mention', offset: 0, length: MENTION.length }];
      const chat = { id, type: 'group', title: 'Soakers' };
      const request = say('group', person, mark, { chat, text: `${MENTION} ${chineseOf(mark)}`, entities });
      return { ...request, where: String(id) };
    },
    inline: (person, mark) => {
      // One at a time: the bot answers only the newest of a person's.
      const where = `inline-${person}`;
      if (isOpen(where)) return undefined;
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

  return {
    draw: () => {
      const kind = DRAWN[Math.floor(Math.random() * DRAWN.length)] ?? 'text';
      const person = freePerson();
      const mark = nextMark++;
      return requests[kind](person, mark) ?? text(person, mark);
    },
    answered: ({ kind, where, mark, message }, answer) => {
      if (kind !== 'text') return;
      lastOf.set(Number(where), { mark, question: message, answer });
      answeredMarks[mark % KEPT_MARKS] = mark;
    },
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
