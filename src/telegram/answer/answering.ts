/** The answers to one request. None is sent twice when the request is handled again; an edited request edits its earlier answers. */
import type { Log } from '../../log.ts';
import type { ConfirmedAnswers } from '../../queue/queue.ts';
import type { AnswerPart } from '../../store/kept/answers.ts';
import { UNKNOWN_MESSAGE_ID } from '../api/api.ts';

/** `deleted`: somebody has deleted the message; `refused`: it exists, but Telegram no longer lets the bot edit it. */
export type EditOutcome = 'edited' | 'deleted' | 'refused';

interface Answer {
  readonly kind: 'text' | 'other';
  send(): Promise<{ message_id: number; isShared?: boolean }>;
  /** Turns an earlier text message into this one. */
  edit?(messageId: number): Promise<EditOutcome>;
  /** True if it may be sent again when the request is handled again. */
  readonly isRepeatable?: boolean | undefined;
}

export interface Answering {
  /** Sends an answer, or edits the former one in its place. Does nothing if an earlier attempt at the request has sent it. */
  post(answer: Answer): Promise<void>;
  /** The former answers that are left for this request to replace. */
  former: readonly AnswerPart[];
  /** All answers posted so far, also in earlier attempts. */
  readonly given: readonly AnswerPart[];
  /** Former answers that were not replaced and can be deleted. */
  readonly leftOver: readonly AnswerPart[];
}

/** The id by which an answer is noted. A shared message has a negative one: after another attempt, too, no edit may touch it. */
export function confirmedId({ id, kind }: AnswerPart): number {
  return kind === 'shared' ? -id : id;
}

/**
 * Handlers answer in the same order in every attempt, so an answer is known by its place in that order. `replaced`: the answers that the
 * request had before its edit. `throwIfLeft`: called before each answer is handed to the API, which may still let it wait; throws once the
 * work is left to another process.
 */
export function createAnswering(
  answers: ConfirmedAnswers,
  replaced: readonly AnswerPart[],
  log: Log,
  throwIfLeft: () => void,
): Answering {
  const given: AnswerPart[] = [];
  let noted: Promise<void> = Promise.resolve();

  const editOrSend = async ({ kind, send, edit }: Answer): Promise<AnswerPart> => {
    throwIfLeft();
    const before = answering.former[given.length];
    if (edit !== undefined && before?.kind === 'text' && before.id !== UNKNOWN_MESSAGE_ID) {
      // Does not send it anew if it was deleted: the person did not want it.
      if ((await edit(before.id)) !== 'refused') return before;
    }
    const { message_id: id, isShared = false } = await send();
    return { id, kind: isShared ? 'shared' : kind };
  };

  const answering: Answering = {
    post: async (answer) => {
      const confirmed = answers.confirmed[given.length];
      if (confirmed !== undefined && !answer.isRepeatable) {
        given.push({ id: Math.abs(confirmed), kind: confirmed < 0 ? 'shared' : answer.kind });
        return;
      }
      // Waits only before the next answer: the last one is stored together with the end of the work.
      await noted;
      const part = await editOrSend(answer);
      given.push(part);
      // Not stored as an answer: if the work is done again, its result is still owed.
      if (answer.isRepeatable) return;
      noted = answers.confirm(confirmedId(part)).catch((error: unknown) => {
        log.warn({ error }, 'an answer was not noted');
      });
    },
    given,
    former: replaced,
    get leftOver() {
      return answering.former.filter(
        ({ id, kind }) => kind !== 'shared' && !given.some((part) => part.id === id),
      );
    },
  };
  return answering;
}
