/** Of the queries that a person types one after another only the newest matters. */

export interface NewestQuery {
  /** A query of this person has come: the signals given for earlier ones abort. */
  begin(person: string): AbortSignal;
  /** The query of this signal is done with. */
  end(person: string, query: AbortSignal): void;
}

/** The newest queries of everybody who types at the moment. */
export function createNewestQuery(): NewestQuery {
  const newest = new Map<string, AbortController>();
  return {
    begin: (person) => {
      newest.get(person)?.abort();
      const aborter = new AbortController();
      newest.set(person, aborter);
      return aborter.signal;
    },
    end: (person, query) => {
      if (newest.get(person)?.signal === query) newest.delete(person);
    },
  };
}
