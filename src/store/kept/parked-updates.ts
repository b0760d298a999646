/** Requests that failed but may succeed later, or that wait for a yes: kept for a day, so that one press of a button repeats them. */
import { randomBytes } from 'node:crypto';
import { orDatabaseFailure } from '../database-errors.ts';
import type { EngineDatabase } from '../engine.ts';

/** All methods throw `database` when the database does not answer. */
export interface ParkedUpdates {
  /** Keeps a person's request; gives its id. */
  park(person: string, request: unknown): Promise<string>;
  /** The request with this id, if this person parked it and it is not too old. */
  find(id: string, person: string): Promise<unknown>;
  /** All requests that this person has parked. */
  of(person: string): Promise<readonly { readonly id: string; readonly request: unknown }[]>;
  /** Replaces a parked request, if it is still there. */
  change(id: string, request: unknown): Promise<void>;
  drop(id: string): Promise<void>;
}

/** How long a request can be repeated, in ms. */
export const PARKED_FOR_MS = 24 * 60 * 60 * 1000;

/** The parked requests of all processes on this database. */
export function createParkedUpdates({
  sql: database,
  now,
}: Pick<EngineDatabase, 'sql' | 'now'>): ParkedUpdates {
  return {
    park: (person, request) =>
      orDatabaseFailure(async () => {
        const id = randomBytes(12).toString('base64url');
        const parked_at = now();
        await database
          .insertInto('parked_updates')
          .values({ id, person, body: JSON.stringify(request), parked_at })
          .execute();
        return id;
      }),

    find: (id, person) =>
      orDatabaseFailure(async () => {
        const row = await database
          .selectFrom('parked_updates')
          .select('body')
          .where('id', '=', id)
          .where('person', '=', person)
          .where('parked_at', '>=', now() - PARKED_FOR_MS)
          .executeTakeFirst();
        if (row === undefined) return undefined;
        const request: unknown = JSON.parse(row.body);
        return request;
      }),

    of: (person) =>
      orDatabaseFailure(async () => {
        const rows = await database
          .selectFrom('parked_updates')
          .select(['id', 'body'])
          .where('person', '=', person)
          .where('parked_at', '>=', now() - PARKED_FOR_MS)
          .execute();
        return rows.map(({ id, body }) => ({ id, request: JSON.parse(body) }));
      }),

    change: (id, request) =>
      orDatabaseFailure(async () => {
        await database
          .updateTable('parked_updates')
          .set({ body: JSON.stringify(request) })
          .where('id', '=', id)
          .execute();
      }),

    drop: (id) =>
      orDatabaseFailure(async () => {
        await database.deleteFrom('parked_updates').where('id', '=', id).execute();
      }),
  };
}
