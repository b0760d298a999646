/** The service's access token, kept over restarts: an exchange more than needed is a call more than needed. */
import type { Kysely } from 'kysely';
import type { Schema } from '../schema.ts';

interface KeptToken {
  readonly token: string;
  /** ms since the epoch */
  readonly expiresAt: number;
  /** A hash of the credentials that it was issued for. */
  readonly credentials: string;
}

/** The one token that is in use; an earlier one is worth nothing once another has been issued. */
export function createTokenStore(sql: Kysely<Schema>) {
  return {
    load: async (): Promise<KeptToken | undefined> => {
      const row = await sql.selectFrom('tokens').selectAll().executeTakeFirst();
      return row && { token: row.token, expiresAt: Number(row.expires_at), credentials: row.credentials };
    },
    save: async ({ token, expiresAt, credentials }: KeptToken): Promise<void> => {
      await sql.transaction().execute(async (transaction) => {
        await transaction.deleteFrom('tokens').execute();
        await transaction
          .insertInto('tokens')
          .values({ credentials, token, expires_at: expiresAt })
          .execute();
      });
    },
  };
}
