/** The migration that marks the head of each lane in the queue, on PostgreSQL. */
import { type Kysely, sql } from 'kysely';

/** Takes over what waits from earlier releases, which had a pg-boss job for each row. A released step: never changed. */
export async function appointHeadsOfLanes(database: Kysely<unknown>): Promise<void> {
  const { schema } = database;
  await schema
    .alterTable('queued_updates')
    .addColumn('head', 'boolean', (column) => column.ifNotExists().notNull().defaultTo(false))
    .execute();
  // An update that a process has taken comes first: the rest of its lane waits for it.
  await sql`
    update queued_updates set head = true where id in (
      select distinct on (lane) id from queued_updates where set_aside_at is null order by lane, not head, process is null, id
    )`.execute(database);
  await sql`update queued_updates set process = null where not head`.execute(database);
  await sql`
    create unique index if not exists queued_updates_head on queued_updates (lane) where head
  `.execute(database);
  await sql`
    create index if not exists queued_updates_next on queued_updates (id) where head and process is null
  `.execute(database);
  await sql`
    create index if not exists queued_updates_by_lane on queued_updates (lane, id) where set_aside_at is null
  `.execute(database);
  // Without their pg-boss jobs, processes of earlier releases take nothing more in, or up, beside the new ones.
  await sql`
    do $$ begin
      if to_regclass('pgboss.queue') is null then return; end if;
      if exists (select from pgboss.queue where name <> 'updates' and name not like '\\_\\_pgboss\\_\\_%') then
        delete from pgboss.job where name = 'updates';
        delete from pgboss.queue where name = 'updates';
      else
        drop schema pgboss cascade;
      end if;
    end $$`.execute(database);
}
