/** The steps from no tables to today's. Released steps never change, since databases have taken them; new ones go at the end. */
import { type ColumnDefinitionBuilder, type Kysely, type SchemaModule, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Engine } from '../engine.ts';
import { addDailySums } from './daily-sums.ts';
import { appointHeadsOfLanes } from './lane-heads.ts';

/** By the names under which a database remembers them, in order. */
export type Migrations = Readonly<Record<string, Migration>>;

/** All steps in order. */
export function migrations(engine: Engine): Migrations {
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
    '004-several-processes': {
      async up({ schema }: Kysely<unknown>) {
        await schema.alterTable('queued_updates').addColumn('process', 'integer').execute();
        if (engine === 'sqlite') return;
        // PostgreSQL enforces lengths, and Telegram alone decides how long an album's id is.
        await schema
          .alterTable('queued_updates')
          .alterColumn('album', (column) => column.setDataType('text'))
          .execute();
        // The clock of the database, which all processes share.
        const now = sql`(extract(epoch from clock_timestamp()) * 1000)::bigint`;
        await schema
          .alterTable('queued_updates')
          .addColumn('queued_at', 'bigint', (column) => column.notNull().defaultTo(now))
          .execute();
        for (const column of ['album', 'once', 'process'] as const) {
          await schema
            .createIndex(`queued_updates_by_${column}`)
            .on('queued_updates')
            .column(column)
            .where(column, 'is not', null)
            .execute();
        }
        // The table of @telegraf/session, which would create it without regard to other processes that start with it.
        await schema
          .createTable('telegraf-sessions')
          .ifNotExists()
          .addColumn('key', 'varchar(32)', (column) => column.primaryKey().notNull())
          .addColumn('session', 'text')
          .execute();
      },
    },
    '005-groups-edits-cancel': {
      async up({ schema }: Kysely<unknown>) {
        // SQLite adds one column at a time.
        await schema
          .alterTable('groups')
          .addColumn('listens', 'integer', (column) => column.notNull().defaultTo(0))
          .execute();
        await schema.alterTable('groups').addColumn('joined_at', 'bigint').execute();
        await schema.alterTable('groups').addColumn('upgraded_from', 'varchar(32)').execute();
        await schema
          .createTable('cancellations')
          .addColumn('update_id', 'bigint', (column) => column.primaryKey())
          .addColumn('person', 'varchar(32)', (column) => column.notNull())
          .addColumn('requested_at', 'bigint', (column) => column.notNull())
          .addColumn('stopped', 'integer', (column) => column.notNull())
          .addColumn('finished', 'integer', (column) => column.notNull())
          .execute();
        await schema
          .createIndex('cancellations_by_person')
          .on('cancellations')
          .columns(['person', 'finished'])
          .execute();
        await schema
          .createTable('answers')
          .addColumn('chat', 'varchar(32)', (column) => column.notNull())
          .addColumn('message', 'bigint', (column) => column.notNull())
          .addColumn('person', 'varchar(32)', (column) => column.notNull())
          .addColumn('asked', 'varchar(64)', (column) => column.notNull())
          .addColumn('parts', 'text', (column) => column.notNull())
          .addColumn('answered_at', 'bigint', (column) => column.notNull())
          .addPrimaryKeyConstraint('answers_key', ['chat', 'message'])
          .execute();
        await schema.createIndex('answers_by_person').on('answers').column('person').execute();
        await schema.createIndex('answers_by_age').on('answers').column('answered_at').execute();
        await schema
          .createTable('progress_messages')
          .addColumn('chat', 'bigint', (column) => column.notNull())
          .addColumn('message', 'bigint', (column) => column.notNull())
          .addColumn('update_id', 'bigint', (column) => column.notNull())
          .addColumn('shown_at', 'bigint', (column) => column.notNull())
          .addPrimaryKeyConstraint('progress_messages_key', ['chat', 'message'])
          .execute();
        await schema
          .createIndex('progress_messages_by_update')
          .on('progress_messages')
          .column('update_id')
          .execute();
      },
    },
    '006-find-what-was-set-aside': {
      async up({ schema }: Kysely<unknown>) {
        await schema
          .createIndex('queued_updates_set_aside')
          .on('queued_updates')
          .column('set_aside_at')
          .where('set_aside_at', 'is not', null)
          .execute();
      },
    },
    '007-albums-follow-edits': {
      async up({ schema }: Kysely<unknown>) {
        await schema.alterTable('answers').addColumn('album', 'text').execute();
      },
    },
    // Up to here: version 0.1.0.
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
        // Until this step every call cost 0.40 yuan. A constant default does not rewrite the rows of a long ledger. On a server the columns
        // may exist already: tables that were imported forget which steps they have taken.
        const fen = (column: ColumnDefinitionBuilder, each: number) =>
          (engine === 'postgres' ? column.ifNotExists() : column).notNull().defaultTo(each);
        await database.schema
          .alterTable('ledger')
          .addColumn('cost_fen', 'integer', (column) => fen(column, 40))
          .execute();
        await database.schema
          .alterTable('spending')
          .addColumn('cost_fen', 'integer', (column) => fen(column, 0))
          .execute();
        await sql`update spending set cost_fen = 40 * calls`.execute(database);
      },
    },
    '011-access': {
      async up(database: Kysely<unknown>) {
        const { schema } = database;
        await schema
          .createTable('access')
          .addColumn('subject', 'varchar(32)', (column) => column.primaryKey())
          .addColumn('chat', 'varchar(32)')
          .addColumn('name', 'text')
          .addColumn('language', 'varchar(16)')
          .addColumn('standing', 'varchar(16)', (column) => column.notNull())
          .addColumn('told', 'integer', (column) => column.notNull())
          .addColumn('at', 'bigint', (column) => column.notNull())
          .addColumn('decided_by', 'varchar(32)')
          .addColumn('decider', 'text')
          .execute();
        await schema.createIndex('access_by_age').on('access').columns(['at', 'subject']).execute();
        await schema.createIndex('access_by_standing').on('access').columns(['standing', 'at']).execute();
        await schema.createIndex('access_by_chat').on('access').column('chat').execute();
        await schema.createIndex('access_by_decider').on('access').column('decided_by').execute();
        await schema
          .createTable('access_state')
          .addColumn('id', 'integer', (column) => column.primaryKey())
          .addColumn('version', 'bigint', (column) => column.notNull())
          .addColumn('is_paused', 'integer', (column) => column.notNull())
          .addColumn('pause_text', 'text')
          .execute();
        await sql`insert into access_state (id, version, is_paused) values (1, 0, 0)`.execute(database);
        await schema
          .createTable('invitations')
          .addColumn('hash', 'varchar(64)', (column) => column.primaryKey())
          .addColumn('uses_left', 'integer', (column) => column.notNull())
          .addColumn('expires_at', 'bigint', (column) => column.notNull())
          .addColumn('decided_by', 'varchar(32)')
          .addColumn('decider', 'text')
          .execute();
        await schema
          .createTable('seen_names')
          .addColumn('name', 'varchar(64)', (column) => column.primaryKey())
          .addColumn('chat', 'varchar(32)', (column) => column.notNull())
          .addColumn('seen_at', 'bigint', (column) => column.notNull())
          .execute();
        await schema.createIndex('seen_names_by_chat').on('seen_names').column('chat').execute();
        await schema.createIndex('seen_names_by_age').on('seen_names').column('seen_at').execute();
      },
    },
    '012-daily-sums': {
      up: (database: Kysely<unknown>) => addDailySums(database, engine),
    },
    '013-heads-of-lanes': {
      async up(database: Kysely<unknown>) {
        // On SQLite the one process keeps the lanes in memory.
        if (engine === 'postgres') await appointHeadsOfLanes(database);
      },
    },
    '014-find-what-is-old': {
      async up({ schema }: Kysely<unknown>) {
        const indexes = [
          ['parked_updates', 'parked_at'],
          ['parked_updates', 'person'],
          ['cancellations', 'requested_at'],
          ['progress_messages', 'shown_at'],
          ['spending', 'day'],
          ['invitations', 'expires_at'],
          ['invitations', 'decided_by'],
        ] as const;
        for (const [table, column] of indexes) {
          await schema.createIndex(`${table}_by_${column}`).ifNotExists().on(table).column(column).execute();
        }
      },
    },
    '015-guest-answers': {
      async up(database: Kysely<unknown>) {
        const { schema } = database;
        await schema
          .createTable('guest_answers')
          .ifNotExists()
          .addColumn('query', 'varchar(64)', (column) => column.primaryKey())
          .addColumn('person', 'varchar(32)', (column) => column.notNull())
          .addColumn('inline_message', 'text', (column) => column.notNull())
          .addColumn('answered_at', 'bigint', (column) => column.notNull())
          .execute();
        for (const column of ['person', 'answered_at']) {
          await schema
            .createIndex(`guest_answers_by_${column}`)
            .ifNotExists()
            .on('guest_answers')
            .column(column)
            .execute();
        }
      },
    },
  };
}

/** Used by released steps: never changed. */
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
