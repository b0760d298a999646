/** SQLite changes tables within a transaction, of which Kysely makes no use: a step that a kill cut in two could never be taken again. */
import { SqliteAdapter, SqliteDialect } from 'kysely';

/** For migrations: all steps are taken, or none. */
export class StepsInOneDialect extends SqliteDialect {
  override createAdapter(): SqliteAdapter {
    return new StepsInOneAdapter();
  }
}

class StepsInOneAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}
