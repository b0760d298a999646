/** The steps from the tables of the first release to today's; a new one stands at the end. */
import { type Kysely, type SchemaModule, sql } from 'kysely';
import type { Engine } from '../engine.ts';
import type { Migrations } from './migration-step.ts';

/** The steps since version 0.1.0, by the names under which a database remembers that it has taken them. */
export function laterMigrations(engine: Engine): Migrations {
  return {
    '008-pieces-of-speech': {
      up: ({ schema }: Kysely<unknown>) => createSoundTable(schema, engine, 'speech_pieces'),
    },
    '009-long-notes-in-parts': {
      async up({ schema }: Kysely<unknown>) {
        await schema.alterTable('results').addColumn('copy', 'varchar(36)').execute();
        await createSoundTable(schema, engine, 'note_parts');
      },
    },
    '010-cost-of-each-call': {
      async up(database: Kysely<unknown>) {
        // Until this step every call cost 0.40 yuan. A constant default rewrites no row of a long ledger.
        await database.schema
          .alterTable('ledger')
          .addColumn('cost_fen', 'integer', (column) => column.notNull().defaultTo(40))
          .execute();
        await database.schema
          .alterTable('spending')
          .addColumn('cost_fen', 'integer', (column) => column.notNull().defaultTo(0))
          .execute();
        await sql`update spending set cost_fen = 40 * calls`.execute(database);
      },
    },
  };
}

/** As steps have taken it: never changed any more. */
async function createSoundTable(schema: SchemaModule, engine: Engine, table: string): Promise<void> {
  await schema
    .createTable(table)
    .addColumn('id', engine === 'sqlite' ? sql`integer` : sql`bigserial`, (column) => column.primaryKey())
    .addColumn('key', 'varchar(128)', (column) => column.notNull())
    .addColumn('copy', 'varchar(36)', (column) => column.notNull())
    .addColumn('part', 'integer', (column) => column.notNull())
    .addColumn('parts', 'integer', (column) => column.notNull())
    .addColumn('person', 'varchar(32)', (column) => column.notNull())
    .addColumn('kept_at', 'bigint', (column) => column.notNull())
    .addColumn('audio', engine === 'sqlite' ? sql`blob` : sql`bytea`, (column) => column.notNull())
    .execute();
  for (const column of ['key', 'person', 'kept_at']) {
    await schema.createIndex(`${table}_by_${column}`).on(table).column(column).execute();
  }
}
