/**
 * Parked requests: those that failed and may succeed later, and those that wait for a yes to their cost. Their updates are kept until
 * the sender repeats them.
 */
import { hash } from 'node:crypto';
import type { Update } from 'telegraf/types';
import { z } from 'zod';
import type { Queue } from '../../queue/queue.ts';
import { orDatabaseFailure } from '../../store/database-errors.ts';
import type { ParkedUpdates } from '../../store/kept/parked-updates.ts';
import type { Receive } from './receipt.ts';

/** A message, by the ids of its chat and itself. */
const messagePlace = z.object({ chat: z.int(), message: z.int() });
export type MessagePlace = z.infer<typeof messagePlace>;
/** Messages that the failed attempt sent before the one with the button; the answer replaces them, too. */
const earlier = z.array(z.int()).default([]);
const replacedMessages = messagePlace.extend({ earlier });
export type ReplacedMessages = z.infer<typeof replacedMessages>;

const parkedRequest = z.object({
  /** One update, or all parts of an album. */
  updates: z.array(z.looseObject({})),
  /** Whether the new answer replaces the message under which it waits. */
  isInPlace: z.boolean(),
  earlier,
  /** For a request that waits for a yes: the number of paid calls, the message that asks, and the answers given before it. */
  question: z
    .object({ calls: z.int(), place: messagePlace.optional(), given: z.array(z.int()).default([]) })
    .optional(),
});
type ParkedRequest = Readonly<z.infer<typeof parkedRequest>>;

interface Question {
  /** The message that asks; unknown if the process ended while it was sent. */
  readonly place: MessagePlace | undefined;
}

/** All methods throw `database` when the database does not answer. */
export interface ParkedRequests {
  park(
    person: string,
    request: { updates: readonly object[]; isInPlace: boolean; earlier?: readonly number[] },
  ): Promise<string>;
  /** Parks a request until its person agrees to so many paid calls. `given`: its answers so far (`ConfirmedAnswers`), not to be given again. */
  parkQuestion(
    person: string,
    updates: readonly object[],
    question: { readonly calls: number; readonly given: readonly number[] },
  ): Promise<string>;
  /** Notes the message that asks. */
  noteQuestion(id: string, person: string, place: MessagePlace): Promise<void>;
  /** Whether it is parked for this person. */
  isThere(id: string, person: string): Promise<boolean>;
  /** Puts the request back into the queue, unless it is gone or another person's; `under`: the message of its button. */
  repeat(id: string, person: string, under: MessagePlace | undefined): Promise<void>;
  /** Drops the request. */
  drop(id: string): Promise<void>;
  /** Drops the person's requests that wait for a yes, or only those of the message `askedBy`; gives their questions. */
  takeBackQuestions(person: string, askedBy?: MessagePlace): Promise<readonly Question[]>;
}

/** Extra fields of a repeated update in the queue. */
const repeatedUpdate = z.looseObject({
  is_repeated: z.literal(true),
  takes_place_of: replacedMessages.optional(),
  agreed_calls: z.int().optional(),
  given_answers: z.array(z.int()).default([]),
});

/** Keeps requests in `parked` and repeats them through `queue`. */
export function createParkedRequests(
  parked: ParkedUpdates,
  queue: Pick<Queue, 'push'>,
  receive: Receive,
): ParkedRequests {
  const find = async (id: string, person: string): Promise<ParkedRequest | undefined> => {
    const found = await parked.find(id, person);
    if (found === undefined) return undefined;
    // Early releases kept the bare update.
    const early = { updates: [found], isInPlace: false };
    return parkedRequest.safeParse(found).data ?? parkedRequest.safeParse(early).data;
  };

  return {
    park: parked.park,
    parkQuestion: (person, updates, question) => parked.park(person, { updates, isInPlace: true, question }),
    noteQuestion: async (id, person, place) => {
      const found = await find(id, person);
      if (found?.question === undefined) return;
      await parked.change(id, { ...found, question: { ...found.question, place } });
    },
    isThere: async (id, person) => (await parked.find(id, person)) !== undefined,
    // A full queue counts as a failed database: the callback query waits and is handled again.
    repeat: (id, person, under) =>
      orDatabaseFailure(async () => {
        const { updates = [], isInPlace = false, earlier, question } = (await find(id, person)) ?? {};
        // Also in place of what an earlier repetition replaced: that message is gone.
        const place = {
          takes_place_of: isInPlace && under !== undefined ? { ...under, earlier } : undefined,
        };
        const agreed =
          question === undefined ? {} : { agreed_calls: question.calls, given_answers: question.given };
        const queued = updates
          .map((update) => receive({ ...update, is_repeated: true, ...place, ...agreed }).queued)
          .filter((one) => one !== undefined)
          // With ids of our own, since the queue knows Telegram's and would drop them. They are the same each time, so that a callback
          // query that is handled again (after a crash before the next line) does not repeat the request twice.
          .map((one, index) => ({ ...one, updateId: repetitionId(id, index), once: undefined }));
        if (queued.length === 0) return;
        await queue.push(queued);
        await parked.drop(id);
      }),
    drop: parked.drop,
    takeBackQuestions: async (person, askedBy) => {
      const questions: Question[] = [];
      for (const { id, request } of await parked.of(person)) {
        const { updates, question } = parkedRequest.safeParse(request).data ?? {};
        if (updates === undefined || question === undefined) continue;
        if (askedBy !== undefined && !updates.some((update) => isBy(update, askedBy))) continue;
        await parked.drop(id);
        questions.push({ place: question.place });
      }
      return questions;
    },
  };
}

/** An update id below zero, where Telegram has none; the same each time. */
function repetitionId(parked: string, index: number): number {
  return -1 - hash('sha256', `${parked}:${index}`, 'buffer').readUIntBE(0, 6);
}

/** Whether this update is of the message, or of an edit of it. */
function isBy(update: Partial<Update.MessageUpdate & Update.EditedMessageUpdate>, place: MessagePlace) {
  const { message, edited_message = message } = update;
  return edited_message?.chat.id === place.chat && edited_message.message_id === place.message;
}

/** Whether this update is a repetition, and the messages that its answer replaces, if any. */
export function repetitionOf(update: unknown): {
  isRepeated: boolean;
  takesPlaceOf: ReplacedMessages | undefined;
  /** The number of paid calls that its sender has agreed to. */
  agreedCalls: number;
  /** The answers that it gave before it asked for that, by their ids as in `ConfirmedAnswers`. */
  givenAnswers: readonly number[];
} {
  const repeated = repeatedUpdate.safeParse(update).data;
  return {
    isRepeated: repeated !== undefined,
    takesPlaceOf: repeated?.takes_place_of,
    agreedCalls: repeated?.agreed_calls ?? 0,
    givenAnswers: repeated?.given_answers ?? [],
  };
}
