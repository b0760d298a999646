/** What a database that cannot be read or written means for a person: nothing may be paid for, and nothing is remembered. */
import { Failure } from '../errors.ts';

/** Throws `database` for what the database throws: where it cannot be read or written nothing is allowed, never everything. */
export async function orDatabaseFailure<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure('database', 'the database cannot be read or written', { cause: error });
  }
}
