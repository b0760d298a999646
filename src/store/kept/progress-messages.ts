/** Which messages count what is done of a request, so that they can be removed also by a process that did not send them. */
import type { EngineDatabase } from '../engine.ts';

export interface ProgressMessage {
  readonly chat: number;
  readonly message: number;
}

export interface ProgressMessages {
  /** Those that an earlier attempt at this update has left. */
  ofUpdate(updateId: number): Promise<ProgressMessage[]>;
  keep(progress: ProgressMessage, updateId: number): Promise<void>;
  /** It is removed, or was by somebody else. */
  drop(progress: ProgressMessage): Promise<void>;
}

/** Those of all processes on this database. */
export function createProgressMessages({
  soon: database,
  now,
}: Pick<EngineDatabase, 'soon' | 'now'>): ProgressMessages {
  return {
    ofUpdate: (updateId) =>
      database
        .selectFrom('progress_messages')
        .select(['chat', 'message'])
        .where('update_id', '=', updateId)
        .execute(),
    keep: async (progress, updateId) => {
      await database
        .insertInto('progress_messages')
        .values({ ...progress, update_id: updateId, shown_at: now() })
        .execute();
    },
    drop: async ({ chat, message }) => {
      await database
        .deleteFrom('progress_messages')
        .where('chat', '=', chat)
        .where('message', '=', message)
        .execute();
    },
  };
}
