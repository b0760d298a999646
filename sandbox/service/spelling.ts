/** Where the interface leaves the wire's spelling open: which of the possible spellings the local service uses. */

export interface Spelling {
  /** §2.1: the sample's body says `expires`, its comment `expires_in`. */
  expiresField: 'expires' | 'expires_in';
  /** §2.1: a remaining lifetime, or a moment since 1970. */
  expiresMeaning: 'lifetime' | 'absolute';
  expiresUnit: 'seconds' | 'milliseconds';
  /** True: the three parts of a token are a JWT that says `exp`. False: they say nothing. */
  tokenIsJwt: boolean;
  /** §2.4: the table says `log_id`, the sample `logId`. */
  logIdField: 'logId' | 'log_id';
  /** §2.3 says string; a number is what a careless server sends. */
  msgIdType: 'string' | 'number';
  /** §2.4: `paragraphs_result_num` is listed as required and absent from the sample. */
  paragraphsNumber: boolean;
  /** §2.4: `location` is under development; the sample has none. */
  locations: boolean;
  /** §2.4: `paragraphs_result` comes with `paragraph=true`; true: unasked, too. */
  paragraphsUnasked: boolean;
}

/** The spellings of the interface's own samples. */
export const SAMPLE_SPELLING: Readonly<Spelling> = {
  expiresField: 'expires',
  expiresMeaning: 'lifetime',
  expiresUnit: 'seconds',
  tokenIsJwt: true,
  logIdField: 'logId',
  msgIdType: 'string',
  paragraphsNumber: false,
  locations: false,
  paragraphsUnasked: false,
};
