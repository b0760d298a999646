/**
 * Requests that failed and may succeed later, and those that wait for a yes to what they cost: kept as the updates that they were, until
 * their sender has them done.
 */
import { createHash } from 'node:crypto';
import type { Update } from 'telegraf/types';
import { z } from 'zod';
import type { Queue } from '../../queue/queue.ts';
import { orDatabaseFailure } from '../../store/database-errors.ts';
import type { ParkedUpdates } from '../../store/kept/parked-updates.ts';
import type { Receive } from './intake.ts';

/** A message, by its numbers. */
const messagePlace = z.object({ chat: z.int(), message: z.int() });
export type MessagePlace = z.infer<typeof messagePlace>;
/** Messages that the failed attempt had sent before the one that the answer takes the place of: it takes theirs, too. */
const earlier = z.array(z.int()).default([]);
const replacedMessages = messagePlace.extend({ earlier });
export type ReplacedMessages = z.infer<typeof replacedMessages>;

const parkedRequest = z.object({
  /** One update, or all parts of an album. */
  updates: z.array(z.looseObject({})),
  /** Whether its new answer takes the place of the message under which it waits. */
  isInPlace: z.boolean(),
  earlier,
  /** Of one that waits for a yes: to how many paid calls, and the message that asks. */
  question: z.object({ calls: z.int(), place: messagePlace.optional() }).optional(),
});
type ParkedRequest = Readonly<z.infer<typeof parkedRequest>>;

/** What asks whether a request is to be done. */
interface Question {
  /** Unknown where the process ended as it was sent. */
  readonly place: MessagePlace | undefined;
}

/** All methods throw `database` when the database does not answer. */
export interface ParkedRequests {
  park(
    person: string,
    request: { updates: readonly object[]; isInPlace: boolean; earlier?: readonly number[] },
  ): Promise<string>;
  /** Parks a request until its person agrees to so many paid calls. */
  parkQuestion(person: string, updates: readonly object[], calls: number): Promise<string>;
  /** Notes the message that asks. */
  noteQuestion(id: string, person: string, place: MessagePlace): Promise<void>;
  /** Whether it waits there, for this person. */
  isThere(id: string, person: string): Promise<boolean>;
  /** Puts the request back into the queue, unless it is gone or another person's; `under`: the message that its button hung on. */
  repeat(id: string, person: string, under: MessagePlace | undefined): Promise<void>;
  /** Drops what was parked under this id. */
  drop(id: string): Promise<void>;
  /** Drops what waits for a yes of this person, only what this message has asked for where one is given; gives the questions. */
  takeBackQuestions(person: string, askedBy?: MessagePlace): Promise<readonly Question[]>;
}

/** What the queue holds of a request that is repeated, beside the update itself. */
const repeatedUpdate = z.looseObject({
  is_repeated: z.literal(true),
  takes_place_of: replacedMessages.optional(),
  agreed_calls: z.int().optional(),
});

/** Those that are kept in `parked`, to be repeated by way of this queue. */
export function createParkedRequests(
  parked: ParkedUpdates,
  queue: Pick<Queue, 'push'>,
  receive: Receive,
): ParkedRequests {
  const find = async (id: string, person: string): Promise<ParkedRequest | undefined> => {
    const found = await parked.find(id, person);
    if (found === undefined) return undefined;
    // An early release kept the one update alone.
    const early = { updates: [found], isInPlace: false };
    return parkedRequest.safeParse(found).data ?? parkedRequest.safeParse(early).data;
  };

  return {
    park: parked.park,
    parkQuestion: (person, updates, calls) =>
      parked.park(person, { updates, isInPlace: true, question: { calls } }),
    noteQuestion: async (id, person, place) => {
      const found = await find(id, person);
      if (found?.question === undefined) return;
      await parked.change(id, { ...found, question: { ...found.question, place } });
    },
    isThere: async (id, person) => (await parked.find(id, person)) !== undefined,
    // A queue that is full counts as a database that does not answer: the callback query waits, and is handled again.
    repeat: (id, person, under) =>
      orDatabaseFailure(async () => {
        const { updates = [], isInPlace = false, earlier, question } = (await find(id, person)) ?? {};
        const place = isInPlace && under !== undefined ? { takes_place_of: { ...under, earlier } } : {};
        const agreed = question === undefined ? {} : { agreed_calls: question.calls };
        const queued = updates
          .map((update) => receive({ ...update, is_repeated: true, ...place, ...agreed }).queued)
          .filter((one) => one !== undefined)
          // Not under Telegram's ids: they were received before, and are meant to be handled again. Should the callback query itself be
          // handled again, as after a crash before the next line, these are known for received, too.
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

/** Below zero, where Telegram has no ids; the same each time. */
function repetitionId(parked: string, index: number): number {
  const hash = createHash('sha256').update(`${parked}:${index}`).digest();
  return -1 - hash.readUIntBE(0, 6);
}

/** Whether a message, or an edit of it, has brought this update. */
function isBy(update: Partial<Update.MessageUpdate & Update.EditedMessageUpdate>, place: MessagePlace) {
  const { message, edited_message = message } = update;
  return edited_message?.chat.id === place.chat && edited_message.message_id === place.message;
}

/** Whether its sender has this update handled once more, and the message that its answer takes the place of, where there is one. */
export function repetitionOf(update: unknown): {
  isRepeated: boolean;
  takesPlaceOf: ReplacedMessages | undefined;
  /** Paid calls that its sender has agreed to. */
  agreedCalls: number;
} {
  const repeated = repeatedUpdate.safeParse(update).data;
  return {
    isRepeated: repeated !== undefined,
    takesPlaceOf: repeated?.takes_place_of,
    agreedCalls: repeated?.agreed_calls ?? 0,
  };
}
