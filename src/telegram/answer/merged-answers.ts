/** Joins short answers to a group that would otherwise have to wait: they go out in one message, each under its asker's name. */
import type { Opts } from 'telegraf/types';
import { TELEGRAM_LIMIT } from '../../language/split.ts';
import type { BotApi } from '../api/api.ts';

interface GroupAnswer {
  readonly group: number;
  readonly text: string;
  /** The asker's name. */
  readonly name: string;
  /** Its place and buttons, used when it goes out alone. */
  readonly extra: Omit<Opts<'sendMessage'>, 'chat_id' | 'text'>;
  /** Never goes out with others, since its asker needs its buttons. */
  readonly isAlone: boolean;
  /** Aborts the wait when the process stops. */
  readonly signal: AbortSignal;
}

interface SentAnswer {
  readonly message_id: number;
  /** The message also holds other people's answers, so it must not be edited or deleted. */
  readonly isShared: boolean;
}

/** Sends an answer to a group, alone or with others. Throws the errors of the message that holds it. */
export type SendToGroup = (answer: GroupAnswer) => Promise<SentAnswer>;

/** Longer answers stay messages of their own, in UTF-16 units. */
const SHORT = 1000;

/** Joins the answers of one process; `api.pace` knows how long a group would have to wait. */
export function createMergedAnswers(api: BotApi): SendToGroup {
  /** Answers whose turn has not come, in order, by group and topic. */
  const waiting = new Map<string, GroupAnswer[]>();
  /** The message in which an answer went out with another's. */
  const takenAlong = new WeakMap<GroupAnswer, Promise<SentAnswer>>();

  /** Sends an answer whose turn has come, with as many of those behind it as fit, if they would have to wait. */
  const send = (answer: GroupAnswer, behind: GroupAnswer[]): Promise<SentAnswer> => {
    const together = [answer];
    while (api.pace.holdsUpNext(answer.group) && mayShare(answer)) {
      const index = behind.findIndex((other) => mayShare(other) && fits([...together, other]));
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

function mayShare({ text, isAlone }: GroupAnswer): boolean {
  return text.length <= SHORT && !isAlone;
}

function fits(answers: readonly GroupAnswer[]): boolean {
  return inOneText(answers).length <= TELEGRAM_LIMIT;
}

function inOneText(answers: readonly GroupAnswer[]): string {
  return answers.map(({ name, text }) => `${name}:\n${text}`).join('\n\n');
}
