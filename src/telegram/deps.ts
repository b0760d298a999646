/** What a handler is given beside its update: the bot's abilities, what it keeps, and its ways to Telegram. */
import type { Interpreter } from '../interpreter/interpreter.ts';
import type { Log } from '../log.ts';
import type { Work } from '../queue/queue.ts';
import type { Access } from '../store/access/access.ts';
import type { GivenAnswers, ProgressMessages } from '../store/kept/answers.ts';
import type { Cancellations } from '../store/kept/cancellations.ts';
import type { Groups } from '../store/kept/groups.ts';
import type { Results, Wholes } from '../store/kept/results.ts';
import type { PersonSessions } from '../store/kept/sessions.ts';
import type { Accounting } from '../store/money/accounting.ts';
import type { OnAlert, TellAdmins } from './answer/alerts.ts';
import type { SendToGroup } from './answer/merged-answers.ts';
import type { BotApi } from './api/api.ts';
import type { ParkedRequests } from './intake/parked-requests.ts';
import type { Words } from './locale.ts';
import type { Known } from './request/command.ts';

/** What all updates share. */
export interface HandlerDeps extends Known {
  readonly api: BotApi;
  /** The release that runs. */
  readonly version: string;
  readonly interpreter: Interpreter;
  readonly words: Words;
  readonly log: Log;
  /** The time by which limits are counted, in ms since the epoch. */
  now(): number;
  readonly access: Access;
  readonly accounting: Accounting;
  readonly groups: Groups & {
    /** Paid calls per UTC day that a group's admins may set at most, Infinity without a limit. */
    readonly mostCalls: number;
  };
  readonly sendToGroup: SendToGroup;
  readonly progressMessages: ProgressMessages;
  readonly answers: GivenAnswers;
  /** Under which id Telegram has a photo of the bot's own, by the key of its recognition. */
  readonly ownPhotos: Pick<Results, 'fileId' | 'keepFileId'>;
  readonly wholes: Wholes;
  readonly cancellations: Cancellations;
  readonly adminIds: readonly number[];
  readonly tellAdmins: TellAdmins;
  /** For words to those who have not sent the update. */
  readonly sessions: Pick<PersonSessions, 'get'>;
  /** How many updates were given up and wait for a decision (`npm run queue`). */
  countDeadLetters(): Promise<number>;
  readonly resultsTtlDays: number;
  /** Tells the operators what only they can mend. */
  readonly alert: OnAlert;
  /** Erases everything kept about a person, and as soon as it is handled also the request for it. */
  forget(person: string, request: Pick<Work, 'onceGone'>): Promise<void>;
  /** Requests that wait under a button to be repeated by their sender. */
  readonly parked: ParkedRequests;
}
