/** The answers to one request: none is sent twice though it be handled again, and an edited request edits those it had. */
import type { Log } from '../../log.ts';
import type { ConfirmedAnswers } from '../../queue/queue.ts';
import type { AnswerPart } from '../../store/kept/answers.ts';
import { UNTOLD } from '../api/api.ts';

/** `deleted`: somebody has deleted the message; `refused`: it is there, but Telegram lets it be edited no more. */
export type EditOutcome = 'edited' | 'deleted' | 'refused';

interface Answer {
  readonly kind: 'text' | 'other';
  send(): Promise<{ message_id: number; isShared?: boolean }>;
  /** Makes an earlier text message into this one. */
  edit?(messageId: number): Promise<EditOutcome>;
  /** True for what may be said again when the request is handled again. */
  readonly isRepeatable?: boolean | undefined;
}

export interface Answering {
  /** Sends an answer, or edits the one in its place; nothing where an earlier attempt at the same request has done so. */
  post(answer: Answer): Promise<void>;
  /** Of what the request is to replace, only these are left. */
  replaces(former: readonly AnswerPart[]): void;
  /** What the request is to replace. */
  readonly former: readonly AnswerPart[];
  /** What was posted, also in an earlier attempt. */
  readonly given: readonly AnswerPart[];
  /** Former parts that no answer took the place of, and that can go. */
  readonly leftOver: readonly AnswerPart[];
}

/**
 * Handlers answer in the same order in every attempt, so the place in that order tells which answer it is. `replaced`: what answered the
 * request before its edit.
 */
export function createAnswering(
  answers: ConfirmedAnswers,
  replaced: readonly AnswerPart[],
  log: Log,
): Answering {
  const given: AnswerPart[] = [];
  let former = replaced;
  let noted: Promise<void> = Promise.resolve();

  const editOrSend = async ({ kind, send, edit }: Answer): Promise<AnswerPart> => {
    const before = former[given.length];
    if (edit !== undefined && before?.kind === 'text' && before.id !== UNTOLD) {
      // A person who deleted the earlier answer does not want it again.
      if ((await edit(before.id)) !== 'refused') return before;
    }
    const { message_id: id, isShared = false } = await send();
    return { id, kind: isShared ? 'shared' : kind };
  };

  return {
    post: async (answer) => {
      const confirmed = answers.confirmed[given.length];
      if (confirmed !== undefined && !answer.isRepeatable) {
        given.push({ id: confirmed, kind: answer.kind });
        return;
      }
      // Waited for before the next answer only: the last one is written down together with the end of the work.
      await noted;
      const part = await editOrSend(answer);
      given.push(part);
      // Not noted as an answer to the request: should the work be done again, its result is still owed.
      if (answer.isRepeatable) return;
      noted = answers.confirm(part.id).catch((error: unknown) => {
        log.warn({ error }, 'an answer was not noted');
      });
    },
    replaces: (parts) => {
      former = parts;
    },
    given,
    get former() {
      return former;
    },
    get leftOver() {
      return former.filter(({ id, kind }) => kind !== 'shared' && !given.some((part) => part.id === id));
    },
  };
}
