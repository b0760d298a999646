/** What a step that changes the tables is. */
import type { Migration } from 'kysely/migration';

/** By the names under which a database remembers which it has taken, in their order. */
export type Migrations = Readonly<Record<string, Migration>>;
