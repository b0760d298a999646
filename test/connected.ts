/** A connection to PostgreSQL beside the bot's: for what a test asks of the database itself. */
import { Client } from 'pg';

/** Does something on a connection of its own to the database at `address`, which then ends. */
export async function connected<T>(address: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: address });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
