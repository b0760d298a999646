/** The dependencies of handlers and middleware, shared by all updates. */
import type { Interpreter } from '../interpreter/interpreter.ts';
import type { Log } from '../log.ts';
import type { Queue } from '../queue/queue.ts';
import type { Requests } from '../queue/requests.ts';
import type { Access } from '../store/access/access.ts';
import type { Groups } from '../store/kept/groups.ts';
import type { Wholes } from '../store/kept/results.ts';
import type { PersonSessions } from '../store/kept/sessions.ts';
import type { Accounting } from '../store/money/accounting.ts';
import type { Pauses } from '../store/money/pauses.ts';
import type { OnAlert, TellAdmins } from './answer/alerts.ts';
import type { BotApi } from './api/api.ts';
import type { Words } from './locale.ts';
import type { ParserDeps } from './request/command.ts';

export interface HandlerDeps extends ParserDeps {
  readonly api: BotApi;
  /** The running release. */
  readonly version: string;
  readonly interpreter: Interpreter;
  readonly words: Words;
  readonly log: Log;
  /** The clock of limits, in ms since the epoch. */
  now(): number;
  readonly giveUpIfSlept: Queue['giveUpIfSlept'];
  readonly access: Access;
  readonly accounting: Accounting;
  readonly groups: Groups;
  readonly requests: Requests;
  readonly wholes: Wholes;
  readonly pauses: Pauses;
  readonly adminIds: readonly number[];
  readonly tellAdmins: TellAdmins;
  /** Gives the language of people other than the update's sender. */
  readonly sessions: Pick<PersonSessions, 'get'>;
  /** The number of dead letters (`npm run queue`). */
  countDeadLetters(): Promise<number>;
  readonly resultsTtlDays: number;
  /** Alerts the admins to faults that only an operator can fix. */
  readonly alert: OnAlert;
  /** Erases everything kept about a person, and results of their running calls as soon as these end. */
  forget(person: string): Promise<void>;
}
