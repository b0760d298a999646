/** Measures what one request takes, by kind, in one bot on PostgreSQL that is not overloaded. */
import { USUAL_MIX } from '../load/requests.ts';
import type { Voice } from '../load/sound.ts';
import { runOnce } from '../round.ts';
import type { MeasuredServer } from './server.ts';

export interface Unit {
  /** CPU, in ms: of the bot's own process, of it with its encoders, of the server. */
  readonly ownMs: number;
  readonly botMs: number;
  readonly serverMs: number;
  readonly statements: number;
  readonly botApiCalls: number;
  /** Written to the server's log, and kept in its tables and their indexes, in kB. */
  readonly walKb: number;
  readonly keptKb: number;
  /** Highest, of the bot with its encoders. */
  readonly treeMb: number;
}

/** Requests of each kind per second: a bot on one core has room for them. */
const KINDS = {
  text: { perSecond: 10, mix: { photo: 0, speech: 0, speechMs: 0 } },
  photo: { perSecond: 5, mix: { photo: 1, speech: 0, speechMs: 0 } },
  'the usual mix': { perSecond: 10, mix: USUAL_MIX },
  'speech of 10 s': { perSecond: 3, mix: { photo: 0, speech: 1, speechMs: 10_000 } },
} as const;

const SIZE = 'select pg_database_size(current_database())::float8 as bytes';
const ANSWERED = 'select count(*)::int as answered from ledger';

/** By kind; what the start and the upkeep ask of the server is counted with the requests, and is little beside many. */
export async function measureUnits(
  server: MeasuredServer,
  { voice, seconds, seed }: { voice: Voice; seconds: number; seed: number },
): Promise<Record<string, Unit>> {
  const units: Record<string, Unit> = {};
  for (const [kind, { perSecond, mix }] of Object.entries(KINDS)) {
    const url = await server.createDatabase();
    // The first round makes the tables, which are large beside what a short round keeps.
    const round = (seconds: number, seed: number) =>
      runOnce(
        {
          name: kind,
          bots: ['lotsawa'],
          load: { people: 50, perSecond, mix },
          seconds,
          env: { DATABASE_URL: url },
        },
        'lotsawa',
        seed,
        voice,
      );
    await round(1, seed + 1);
    const look = async () => ({
      ...(await server.look(url, SIZE)),
      ...(await server.look(url, ANSWERED)),
      wal: await server.walBytes(),
      cpuS: server.cpuS(),
    });
    const before: Record<string, number> = await look();
    await server.resetStatements();
    const measured = await round(seconds, seed);
    const asked = (await server.statements()).reduce((sum, { calls }) => sum + calls, 0);
    const after: Record<string, number> = await look();
    const grown = (figure: string): number => (after[figure] ?? Number.NaN) - (before[figure] ?? Number.NaN);
    const answered = grown('answered');
    units[kind] = {
      ownMs: measured.ownCpuSPer1000,
      botMs: measured.cpuSPer1000,
      serverMs: (grown('cpuS') * 1000) / answered,
      statements: asked / answered,
      botApiCalls: measured.callsPerUpdate,
      walKb: grown('wal') / 1000 / answered,
      keptKb: grown('bytes') / 1000 / answered,
      treeMb: measured.treeMb,
    };
  }
  return units;
}
