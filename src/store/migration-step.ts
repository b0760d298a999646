/** What a step that changes the tables is. */
import type { Migration } from 'kysely/migration';
import type { DatabaseConfig } from '../config.ts';

export type Engine = DatabaseConfig['engine'];

/** By the names under which a database remembers which it has taken, in their order. */
export type Migrations = Readonly<Record<string, Migration>>;
