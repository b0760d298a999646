/** The first release's tables, as SQL that both engines understand. Where they differ, `postgres` and `sqlite` say how. */
import type { Engine } from '../engine.ts';

/** The statements that create all tables and indexes, in order. */
export function baseline(engine: Engine): readonly string[] {
  return [...money(engine), ...requests(engine), ...results(engine), ...people(engine)];
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
  'create table pauses (reason varchar(48) primary key, until bigint not null, text text)',
  'create table tokens (credentials varchar(64) primary key, token text not null, expires_at bigint not null)',
];

const requests = (engine: Engine) => [
  `create table requests (
    id ${serial(engine)},
    update_id bigint not null unique,
    lane varchar(32) not null,
    chat bigint,
    message bigint,
    album text,
    once text,
    state varchar(8) not null,
    head smallint not null default 0,
    process bigint,
    due_at bigint not null default 0,
    strikes smallint not null default 0,
    failures smallint not null default 0,
    cancelled smallint not null default 0,
    edited smallint not null default 0,
    consent integer not null default 0,
    sent text not null default '[]',
    digest varchar(64),
    body text,
    at bigint not null,
    reason text
  )`,
  "create unique index requests_once on requests (once) where state = 'waiting'",
  'create unique index requests_head on requests (lane) where head = 1',
  'create index requests_next on requests (id, due_at) where head = 1 and process is null',
  "create index requests_waiting on requests (lane, id) where state = 'waiting'",
  'create index requests_by_lane on requests (lane, id)',
  'create index requests_by_message on requests (chat, message) where chat is not null',
  'create index requests_by_process on requests (process) where process is not null',
  'create index requests_by_age on requests (state, at)',
];

const results = (engine: Engine) => [
  `create table results (
    key varchar(128) primary key,
    person varchar(32) not null,
    text text,
    audio ${bytes(engine)},
    duration_ms integer,
    file_id text,
    process bigint,
    kept_at bigint not null
  )`,
  'create index results_by_person on results (person)',
  'create index results_by_age on results (kept_at)',
  'create index results_by_process on results (process) where process is not null',
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
    decider text,
    questions text
  )`,
  'create index access_by_age on access (at, subject)',
  'create index access_by_standing on access (standing, at)',
  'create index access_by_chat on access (chat)',
  'create index access_by_decider on access (decided_by)',
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
