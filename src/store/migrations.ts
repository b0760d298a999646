/** The steps that lead from an empty database to today's tables; steps are only ever added, never changed. */
import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import type { DatabaseConfig } from '../config.ts';
import type { Schema } from './schema.ts';

type Engine = DatabaseConfig['engine'];

/** Brings the tables up to date, once, whichever process comes first. Throws the first step's error. */
export async function migrate(database: Kysely<Schema>, engine: Engine): Promise<void> {
  const provider = { getMigrations: async () => migrations(engine) };
  const { error } = await new Migrator({ db: database, provider }).migrateToLatest();
  if (error !== undefined) throw error;
}

function migrations(engine: Engine): Record<string, Migration> {
  const serial = engine === 'sqlite' ? sql`integer` : sql`bigserial`;
  const bytes = engine === 'sqlite' ? sql`blob` : sql`bytea`;
  return {
    '001-first-tables': {
      async up({ schema }: Kysely<unknown>) {
        await schema
          .createTable('tokens')
          .addColumn('credentials', 'varchar(64)', (column) => column.primaryKey())
          .addColumn('token', 'text', (column) => column.notNull())
          .addColumn('expires_at', 'bigint', (column) => column.notNull())
          .execute();
        await schema
          .createTable('parked_updates')
          .addColumn('id', 'varchar(32)', (column) => column.primaryKey())
          .addColumn('person', 'varchar(32)', (column) => column.notNull())
          .addColumn('body', 'text', (column) => column.notNull())
          .addColumn('parked_at', 'bigint', (column) => column.notNull())
          .execute();
      },
    },
    '002-money': {
      async up({ schema }: Kysely<unknown>) {
        await schema
          .createTable('ledger')
          .addColumn('id', serial, (column) => column.primaryKey())
          .addColumn('at', 'bigint', (column) => column.notNull())
          .addColumn('day', 'varchar(10)', (column) => column.notNull())
          .addColumn('person', 'varchar(32)', (column) => column.notNull())
          .addColumn('chat_group', 'varchar(32)')
          .addColumn('kind', 'varchar(16)', (column) => column.notNull())
          .addColumn('characters', 'integer', (column) => column.notNull())
          .addColumn('outcome', 'varchar(16)', (column) => column.notNull())
          .execute();
        await schema.createIndex('ledger_by_day').on('ledger').column('day').execute();
        await schema.createIndex('ledger_by_person').on('ledger').columns(['person', 'day']).execute();
        await schema.createIndex('ledger_by_group').on('ledger').columns(['chat_group', 'day']).execute();
        await schema
          .createTable('spending')
          .addColumn('scope', 'varchar(48)', (column) => column.notNull())
          .addColumn('day', 'varchar(10)', (column) => column.notNull())
          .addColumn('calls', 'integer', (column) => column.notNull())
          .addPrimaryKeyConstraint('spending_key', ['scope', 'day'])
          .execute();
        await schema
          .createTable('results')
          .addColumn('key', 'varchar(128)', (column) => column.primaryKey())
          .addColumn('person', 'varchar(32)', (column) => column.notNull())
          .addColumn('text', 'text')
          .addColumn('audio', bytes)
          .addColumn('duration_ms', 'integer')
          .addColumn('file_id', 'text')
          .addColumn('kept_at', 'bigint', (column) => column.notNull())
          .execute();
        await schema.createIndex('results_by_person').on('results').column('person').execute();
        await schema.createIndex('results_by_age').on('results').column('kept_at').execute();
        await schema
          .createTable('pauses')
          .addColumn('reason', 'varchar(48)', (column) => column.primaryKey())
          .addColumn('until', 'bigint', (column) => column.notNull())
          .execute();
        await schema
          .createTable('groups')
          .addColumn('chat', 'varchar(32)', (column) => column.primaryKey())
          .addColumn('daily_calls', 'integer')
          .execute();
      },
    },
    '003-queue': {
      async up({ schema }: Kysely<unknown>) {
        await schema
          .createTable('received_updates')
          .addColumn('update_id', 'bigint', (column) => column.primaryKey())
          .addColumn('received_at', 'bigint', (column) => column.notNull())
          .execute();
        await schema
          .createIndex('received_updates_by_age')
          .on('received_updates')
          .column('received_at')
          .execute();
        await schema
          .createTable('queued_updates')
          .addColumn('id', serial, (column) => column.primaryKey())
          .addColumn('lane', 'varchar(32)', (column) => column.notNull())
          .addColumn('album', 'varchar(64)')
          .addColumn('once', 'text')
          .addColumn('body', 'text', (column) => column.notNull())
          .addColumn('strikes', 'integer', (column) => column.notNull())
          .addColumn('confirmed', 'text', (column) => column.notNull())
          .addColumn('set_aside_at', 'bigint')
          .addColumn('reason', 'text')
          .execute();
      },
    },
  };
}
