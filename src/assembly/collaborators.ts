/** All that handlers are given beside the update itself. */
import type { UserFromGetMe } from 'telegraf/types';
import type { Config } from '../config.ts';
import type { OnAlert } from '../interpreter/alert.ts';
import type { Interpreter } from '../interpreter/interpreter.ts';
import type { Log } from '../log.ts';
import type { Queue } from '../queue/queue.ts';
import { forgetPerson } from '../store/forgetting.ts';
import { createGivenAnswers } from '../store/kept/answers.ts';
import { createGroups } from '../store/kept/groups.ts';
import { createParkedUpdates } from '../store/kept/parked-updates.ts';
import { createProgressMessages } from '../store/kept/progress-messages.ts';
import { orLedgerFailure } from '../store/ledger-failure.ts';
import { createMergedAnswers } from '../telegram/answer/merged-answers.ts';
import { createParkedRequests } from '../telegram/answer/parked-requests.ts';
import type { BotApi } from '../telegram/api/api.ts';
import type { Collaborators } from '../telegram/collaborators.ts';
import type { Words } from '../telegram/locale.ts';
import type { Records } from './records.ts';

interface CollaboratorsOptions {
  readonly config: Config;
  readonly version: string;
  readonly me: UserFromGetMe;
  readonly api: BotApi;
  readonly words: Words;
  readonly log: Log;
  readonly alert: OnAlert;
  readonly records: Records;
  readonly interpreter: Interpreter;
  readonly queue: Queue;
}

/** Made anew of what lies below; nothing is begun. */
export function createCollaborators(options: CollaboratorsOptions): Collaborators {
  const { config, version, me, api, words, log, alert, records, interpreter, queue } = options;
  const { database, accounting, cancellations } = records;
  return {
    api,
    me,
    version,
    interpreter,
    words,
    log,
    now: database.now,
    alert,
    accounting,
    cancellations,
    adminIds: config.adminIds,
    resultsTtlDays: config.resultsTtlDays,
    groups: {
      ...createGroups(database),
      mostCalls: config.limits.callsPerGroup,
    },
    sendToGroup: createMergedAnswers(api),
    progressMessages: createProgressMessages(database),
    answers: createGivenAnswers(database, records.lateWrites),
    countSetAside: async () => (await queue.listSetAside()).length,
    forget: (person) =>
      orLedgerFailure(async () => {
        await records.lateWrites.forget(person);
        await forgetPerson(database, person);
      }),
    parked: createParkedRequests(createParkedUpdates(database), queue),
  };
}
