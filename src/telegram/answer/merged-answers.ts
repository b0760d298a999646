/** Short answers that a group would have to wait for go out together, each under the name of who asked. */
import type { Opts } from 'telegraf/types';
import { TELEGRAM_LIMIT } from '../../language/split.ts';
import type { BotApi } from '../api/api.ts';

interface GroupAnswer {
  readonly group: number;
  readonly text: string;
  /** Whose question it answers. */
  readonly name: string;
  /** Where it goes, and its buttons, when it goes out alone. */
  readonly extra: Omit<Opts<'sendMessage'>, 'chat_id' | 'text'>;
  /** Ends the waiting: the process stops. */
  readonly signal: AbortSignal;
}

interface SentAnswer {
  readonly message_id: number;
  /** The message holds other people's answers, too: it must be neither edited nor deleted. */
  readonly isShared: boolean;
}

/** Sends an answer to a group, alone or with others. Throws what Telegram answers to the message that it is in. */
export type SendToGroup = (answer: GroupAnswer) => Promise<SentAnswer>;

/** What is longer stays a message of its own, in UTF-16 units. */
const SHORT = 1000;

/** The answers of one process; how long a group would have to wait, `api.pace` knows. */
export function createMergedAnswers(api: BotApi): SendToGroup {
  /** The answers whose turn has not come, in order, by group and topic. */
  const waiting = new Map<string, GroupAnswer[]>();
  /** In whose message an answer was taken along. */
  const takenAlong = new WeakMap<GroupAnswer, Promise<SentAnswer>>();

  /** Sends an answer whose turn has come, with as many of those behind it as fit where they would have to wait. */
  const send = (answer: GroupAnswer, behind: GroupAnswer[]): Promise<SentAnswer> => {
    const together = [answer];
    while (api.pace.holdsUpNext(answer.group) && isShort(answer)) {
      const index = behind.findIndex((other) => isShort(other) && fits([...together, other]));
      if (index < 0) break;
      together.push(...behind.splice(index, 1));
    }
    const sent = sendInOne(api, together);
    for (const other of together) takenAlong.set(other, sent);
    return sent;
  };

  return async (answer) => {
    const { group, extra, signal } = answer;
    const key = `${group}:${extra.message_thread_id ?? ''}`;
    const behind = waiting.get(key) ?? [];
    waiting.set(key, behind);
    behind.push(answer);
    const leave = (): void => {
      const index = behind.indexOf(answer);
      if (index >= 0) behind.splice(index, 1);
      if (behind.length === 0 && waiting.get(key) === behind) waiting.delete(key);
    };
    const ownTurn = api.pace.inTurn(group, {
      signal,
      isNeeded: () => !takenAlong.has(answer),
      send: () => {
        leave();
        return takenAlong.get(answer) ?? send(answer, behind);
      },
    });
    return ownTurn.finally(leave);
  };
}

async function sendInOne(api: BotApi, answers: readonly GroupAnswer[]): Promise<SentAnswer> {
  const [first] = answers;
  if (first === undefined) throw new Error('a message holds at least one answer');
  const isShared = answers.length > 1;
  const { message_thread_id, link_preview_options } = first.extra;
  const content = isShared
    ? { text: inOneText(answers), message_thread_id, link_preview_options }
    : { ...first.extra, text: first.text };
  const payload = { chat_id: first.group, ...content };
  const { message_id } = await api.callApi('sendMessage', payload, { isInTurn: true });
  return { message_id, isShared };
}

function isShort({ text }: GroupAnswer): boolean {
  return text.length <= SHORT;
}

function fits(answers: readonly GroupAnswer[]): boolean {
  return inOneText(answers).length <= TELEGRAM_LIMIT;
}

function inOneText(answers: readonly GroupAnswer[]): string {
  return answers.map(({ name, text }) => `${name}:\n${text}`).join('\n\n');
}
