/** What Telegram confirmed is not sent twice, though the request be handled again after a crash. */
import type { Log } from '../log.ts';
import type { Answers } from '../queue/queue.ts';

/** Sends an answer and gives the message; undefined where an earlier attempt at the same request has sent it. */
export type AnswerOnce = <M extends { message_id: number }>(send: () => Promise<M>) => Promise<M | undefined>;

/** Handlers answer in the same order in every attempt, so the place in that order tells which answer it is. */
export function createAnswerOnce(answers: Answers, log: Log): AnswerOnce {
  let answered = 0;
  return async (send) => {
    const place = answered;
    answered += 1;
    if (place < answers.confirmed.length) return undefined;
    const message = await send();
    await answers.confirm(message.message_id).catch((error: unknown) => {
      log.warn({ error }, 'an answer was not noted');
    });
    return message;
  };
}
