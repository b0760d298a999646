/** All that handlers are given beside the update itself. */
import type { UserFromGetMe } from 'telegraf/types';
import { orDatabaseFailure } from '../store/database-failure.ts';
import { forgetPerson } from '../store/forgetting.ts';
import { createGivenAnswers } from '../store/kept/answers.ts';
import { createGroups } from '../store/kept/groups.ts';
import { createParkedUpdates } from '../store/kept/parked-updates.ts';
import { createProgressMessages } from '../store/kept/progress-messages.ts';
import { createMergedAnswers } from '../telegram/answer/merged-answers.ts';
import type { Collaborators } from '../telegram/collaborators.ts';
import { createParkedRequests } from '../telegram/intake/parked-requests.ts';
import type { Parts } from './parts.ts';

interface CollaboratorsOptions extends Omit<Parts, 'metrics' | 'service'> {
  readonly me: UserFromGetMe;
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
    forget: (person, { onceGone }) =>
      orDatabaseFailure(async () => {
        await records.lateWrites.forget(person);
        await forgetPerson(database, person);
        onceGone(database.erased);
      }),
    parked: createParkedRequests(createParkedUpdates(database), queue),
  };
}
