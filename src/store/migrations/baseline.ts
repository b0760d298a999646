/** The first release's tables, as SQL that both engines understand. Where they differ, `postgres` and `sqlite` say how. */
import type { Engine } from '../engine.ts';

/** The statements that create all tables and indexes, in order. */
export function baseline(engine: Engine): readonly string[] {
  return [...money(engine), ...queue(engine), ...answers, ...results(engine), ...people(engine)];
}

const serial = (engine: Engine) => (engine === 'sqlite' ? 'integer primary key' : 'bigserial primary key');
const bytes = (engine: Engine) => (engine === 'sqlite' ? 'blob' : 'bytea');

const money = (engine: Engine) => [
  `create table ledger (
    id ${serial(engine)},
    at bigint not null,
    day varchar(10) not null,
    person varchar(32) not null,
    chat_group varchar(32),
    kind varchar(16) not null,
    characters integer not null,
    outcome varchar(16) not null,
    cost_fen integer not null
  )`,
  'create index ledger_by_day on ledger (day)',
  'create index ledger_by_person on ledger (person, day)',
  'create index ledger_by_group on ledger (chat_group, day)',
  // Few, and summed up by day.
  "create index ledger_in_doubt on ledger (day, cost_fen) where outcome in ('begun', 'in-doubt')",
  `create table spending (
    day varchar(10) not null,
    scope varchar(48) not null,
    calls integer not null,
    cost_fen integer not null,
    saved integer not null,
    saved_fen integer not null,
    primary key (day, scope)
  )`,
  'create table pauses (reason varchar(48) primary key, until bigint not null)',
  'create table tokens (credentials varchar(64) primary key, token text not null, expires_at bigint not null)',
];

const queue = (engine: Engine) => [
  'create table received_updates (update_id bigint primary key, received_at bigint not null)',
  'create index received_updates_by_age on received_updates (received_at)',
  `create table queued_updates (
    id ${serial(engine)},
    lane varchar(32) not null,
    album text,
    once text,
    body text not null,
    strikes integer not null,
    confirmed text not null,
    set_aside_at bigint,
    reason text,
    process integer
    ${engine === 'postgres' ? POSTGRES_QUEUE_COLUMNS : ''}
  )`,
  'create index queued_updates_set_aside on queued_updates (set_aside_at) where set_aside_at is not null',
  ...(engine === 'postgres' ? POSTGRES_QUEUE_INDEXES : []),
  `create table parked_updates (
    id varchar(32) primary key,
    person varchar(32) not null,
    body text not null,
    parked_at bigint not null
  )`,
  'create index parked_updates_by_person on parked_updates (person)',
  'create index parked_updates_by_parked_at on parked_updates (parked_at)',
  `create table cancellations (
    update_id bigint primary key,
    person varchar(32) not null,
    requested_at bigint not null,
    stopped integer not null,
    finished integer not null
  )`,
  'create index cancellations_by_person on cancellations (person, finished)',
  'create index cancellations_by_requested_at on cancellations (requested_at)',
];

/** The clock is the server's, which all processes share. On SQLite the one process keeps its lanes in memory. */
const POSTGRES_QUEUE_COLUMNS = `,
    queued_at bigint not null default (extract(epoch from clock_timestamp()) * 1000)::bigint,
    head boolean not null default false`;
const POSTGRES_QUEUE_INDEXES = [
  'create index queued_updates_by_album on queued_updates (album) where album is not null',
  'create index queued_updates_by_once on queued_updates (once) where once is not null',
  'create index queued_updates_by_process on queued_updates (process) where process is not null',
  'create unique index queued_updates_head on queued_updates (lane) where head',
  'create index queued_updates_next on queued_updates (id) where head and process is null',
  'create index queued_updates_by_lane on queued_updates (lane, id) where set_aside_at is null',
];

const answers = [
  `create table answers (
    chat varchar(32) not null,
    message bigint not null,
    person varchar(32) not null,
    asked varchar(64) not null,
    parts text not null,
    album text,
    answered_at bigint not null,
    primary key (chat, message)
  )`,
  'create index answers_by_person on answers (person)',
  'create index answers_by_age on answers (answered_at)',
  `create table progress_messages (
    chat bigint not null,
    message bigint not null,
    update_id bigint not null,
    shown_at bigint not null,
    primary key (chat, message)
  )`,
  'create index progress_messages_by_update on progress_messages (update_id)',
  'create index progress_messages_by_shown_at on progress_messages (shown_at)',
  `create table guest_answers (
    query varchar(64) primary key,
    person varchar(32) not null,
    inline_message text not null,
    answered_at bigint not null
  )`,
  'create index guest_answers_by_person on guest_answers (person)',
  'create index guest_answers_by_answered_at on guest_answers (answered_at)',
];

const results = (engine: Engine) => [
  `create table results (
    key varchar(128) primary key,
    person varchar(32) not null,
    text text,
    audio ${bytes(engine)},
    copy varchar(36),
    duration_ms integer,
    file_id text,
    kept_at bigint not null
  )`,
  'create index results_by_person on results (person)',
  'create index results_by_age on results (kept_at)',
  ...soundTable('speech_pieces', engine),
  ...soundTable('note_parts', engine),
];

const soundTable = (name: string, engine: Engine) => [
  `create table ${name} (
    id ${serial(engine)},
    key varchar(128) not null,
    copy varchar(36) not null,
    part integer not null,
    parts integer not null,
    person varchar(32) not null,
    kept_at bigint not null,
    audio ${bytes(engine)} not null
  )`,
  `create index ${name}_by_key on ${name} (key)`,
  `create index ${name}_by_person on ${name} (person)`,
  `create index ${name}_by_kept_at on ${name} (kept_at)`,
];

const people = (engine: Engine) => [
  `create table groups (
    chat varchar(32) primary key,
    daily_calls integer,
    listens integer not null default 0,
    joined_at bigint,
    upgraded_from varchar(32)
  )`,
  `create table access (
    subject varchar(32) primary key,
    chat varchar(32),
    name text,
    language varchar(16),
    standing varchar(16) not null,
    told integer not null,
    at bigint not null,
    decided_by varchar(32),
    decider text
  )`,
  'create index access_by_age on access (at, subject)',
  'create index access_by_standing on access (standing, at)',
  'create index access_by_chat on access (chat)',
  'create index access_by_decider on access (decided_by)',
  `create table access_state (
    id integer primary key,
    version bigint not null,
    is_paused integer not null,
    pause_text text
  )`,
  'insert into access_state (id, version, is_paused) values (1, 0, 0)',
  `create table invitations (
    hash varchar(64) primary key,
    uses_left integer not null,
    expires_at bigint not null,
    decided_by varchar(32),
    decider text
  )`,
  'create index invitations_by_expires_at on invitations (expires_at)',
  'create index invitations_by_decided_by on invitations (decided_by)',
  `create table seen_names (
    name varchar(64) primary key,
    chat varchar(32) not null,
    seen_at bigint not null
  )`,
  'create index seen_names_by_chat on seen_names (chat)',
  'create index seen_names_by_age on seen_names (seen_at)',
  // @telegraf/session creates this table, too, but without regard to other processes that start with it.
  ...(engine === 'postgres'
    ? ['create table if not exists "telegraf-sessions" (key varchar(32) primary key, session text)']
    : []),
];
