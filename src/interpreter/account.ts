/** On whose account the service writes its calls down. */
import type { Meter } from '../service/calls/paid-call.ts';
import type { Ledger } from '../store/money/ledger.ts';
import type { Asker } from '../store/money/scopes.ts';

/** Writes calls into the ledger on the account of whoever asked; its `begin` throws as the ledger's does. */
export function accountOf(ledger: Pick<Ledger, 'begin'>, asker: Asker): Meter {
  return { begin: (call) => ledger.begin(asker, call) };
}
