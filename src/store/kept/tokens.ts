/** Keeps the service's access token across restarts, which saves an exchange. */
import type { Kysely } from 'kysely';
import type { Schema } from '../schema.ts';

interface KeptToken {
  readonly token: string;
  /** ms since the epoch */
  readonly expiresAt: number;
  /** A hash of the credentials for which it was issued. */
  readonly credentials: string;
}

/** Stores one token: a new one invalidates the one before. Both methods throw `database`. */
export class KeptTokens {
  readonly #sql: Kysely<Schema>;

  constructor(sql: Kysely<Schema>) {
    this.#sql = sql;
  }

  async load(): Promise<KeptToken | undefined> {
    const columns = ['token', 'expires_at', 'credentials'] as const;
    const row = await this.#sql.selectFrom('tokens').select(columns).executeTakeFirst();
    return row && { token: row.token, expiresAt: row.expires_at, credentials: row.credentials };
  }

  async save({ token, expiresAt, credentials }: KeptToken): Promise<void> {
    await this.#sql.transaction().execute(async (transaction) => {
      await transaction.deleteFrom('tokens').execute();
      await transaction.insertInto('tokens').values({ credentials, token, expires_at: expiresAt }).execute();
    });
  }
}
