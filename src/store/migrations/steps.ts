/** The steps from no tables to today's. Released steps never change, since databases have taken them; new ones go at the end. */
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Engine } from '../engine.ts';
import { baseline } from './baseline.ts';

/** By the names under which a database remembers them, in order. */
export type Migrations = Readonly<Record<string, Migration>>;

/** All steps in order. */
export function migrations(engine: Engine): Migrations {
  return {
    '001-baseline': {
      async up(database: Kysely<unknown>) {
        for (const statement of baseline(engine)) await sql.raw(statement).execute(database);
      },
    },
  };
}
