/** The stage of the fault matrix: the real bot, with a breakable way to Telegram and to each of the service's two hosts. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { z } from 'zod';
import { readPictureComment } from '../../sandbox/service/picture-comment.ts';
import type { Message } from '../../sandbox/telegram/objects.ts';
import type { Person } from '../../sandbox/telegram/person.ts';
import { freePort } from '../free-port.ts';
import { newChinese, numberOf } from '../phrases.ts';
import { type Scene, startScene } from '../scene.ts';
import { answerWith, type FaultProxy, startFaultProxy } from './fault-proxy.ts';
import { type Residue, residueOf } from './residue.ts';

/** How many tries of a person's calls ended how. */
export interface Account {
  readonly charged: number;
  readonly failed: number;
  readonly inDoubt: number;
  readonly begun: number;
}

/** Somebody's text, translated and paid for at the service, whose answer has not come to the bot yet. */
export interface CallUnderWay {
  readonly person: Person;
  readonly text: string;
  /** Stands in the text and in its translation, and in no other. */
  readonly number: string;
  /** The message that asks for it. */
  readonly asked: Message;
  /** Lets the answer come. */
  goesOn(): void;
}

export interface Stage {
  readonly scene: Scene;
  readonly telegram: FaultProxy;
  /** To the token and to recognition. */
  readonly auth: FaultProxy;
  /** To translation and to speech. */
  readonly base: FaultProxy;
  /** The folder that the bot takes for temporary files. */
  readonly temporary: string;
  /** Has somebody new ask for a translation; resolves when the service has made it, and its answer waits. */
  callUnderWay(): Promise<CallUnderWay>;
  account(person: number): Account;
  /** How many results that a person caused are kept. */
  kept(person: number): number;
  /** Calls with this in their text that reached the service, which charges for each. */
  charged(mark: string): number;
  residue(): Promise<Residue>;
  close(): Promise<void>;
}

const counts = z.array(z.object({ name: z.string(), count: z.number() }));

/** Named counts of what the bot has written down of a person, by a query with the person's id as its parameter. */
function countsOf(scene: Scene, query: string, person: number): z.infer<typeof counts> {
  const database = new Sqlite(scene.databaseFile, { readonly: true });
  try {
    return counts.parse(database.prepare(query).all(String(person)));
  } finally {
    database.close();
  }
}

interface StageOptions {
  readonly env?: Record<string, string>;
  /** The bot reaches its servers by the names `telegram.test`, `auth.test` and `base.test`. */
  readonly named?: boolean;
  /** Lays faults on the way to Telegram before the bot starts. */
  readonly breakStart?: (telegram: FaultProxy) => void;
}

/** Starts everything whole. The service may take 20 s for an answer unless `env` says otherwise: on a busy machine some take long. */
export async function startStage({ env = {}, named = false, breakStart }: StageOptions = {}): Promise<Stage> {
  const temporary = mkdtempSync(join(tmpdir(), 'lotsawa-faults-'));
  const port = await freePort();
  const proxies: FaultProxy[] = [];
  const scene = await startScene({
    env: {
      SERVICE_TIMEOUT_MS: '20000',
      DAILY_CALLS_PER_USER: '0',
      ADMIN_IDS: '42',
      PORT: String(port),
      TMPDIR: temporary,
      ...env,
    },
    between: async (telegram, service) => {
      proxies.push(
        await startFaultProxy({ target: telegram.apiRoot }),
        await startFaultProxy({ target: service.url, searchable: pictureText }),
        await startFaultProxy({ target: service.url }),
      );
      if (proxies[0] !== undefined) breakStart?.(proxies[0]);
      const [toTelegram, toAuth, toBase] = ['telegram', 'auth', 'base'].map((name, index) => {
        const url = proxies[index]?.url ?? '';
        return named ? url.replace('127.0.0.1', `${name}.test`) : url;
      });
      return {
        TELEGRAM_API_ROOT: toTelegram ?? '',
        SERVICE_AUTH_URL: toAuth ?? '',
        SERVICE_BASE_URL: toBase ?? '',
      };
    },
  });
  const [telegram, auth, base] = proxies;
  if (telegram === undefined || auth === undefined || base === undefined) throw new Error('no way was laid');

  const charged = (mark: string) => auth.passedOn(mark) + base.passedOn(mark);

  return {
    scene,
    telegram,
    auth,
    base,
    temporary,
    callUnderWay: async () => {
      const person = scene.newcomer();
      const text = newChinese();
      const number = numberOf(text) ?? '';
      const released = Promise.withResolvers<void>();
      base.breakNext({
        call: 'translation',
        mark: number,
        breakage: async ({ response, forward }) => {
          const answer = await forward();
          await released.promise;
          answerWith(response, answer);
        },
      });
      const asked = person.send(person.chat, { text });
      await scene.telegram.world.waitUntil(() => charged(number) === 1);
      return { person, text, number, asked, goesOn: released.resolve };
    },
    account: (person) => {
      const query = 'select outcome as name, count(*) as count from ledger where person = ? group by outcome';
      const counts = new Map(countsOf(scene, query, person).map(({ name, count }) => [name, count]));
      return {
        charged: counts.get('charged') ?? 0,
        failed: counts.get('failed') ?? 0,
        inDoubt: counts.get('in-doubt') ?? 0,
        begun: counts.get('begun') ?? 0,
      };
    },
    kept: (person) =>
      countsOf(scene, "select '' as name, count(*) as count from results where person = ?", person)[0]
        ?.count ?? 0,
    charged,
    residue: () => residueOf(scene.bot().pid ?? 0, port, temporary),
    close: async () => {
      await scene.close();
      await Promise.all(proxies.map((proxy) => proxy.close()));
      rmSync(temporary, { recursive: true, force: true });
    },
  };
}

/** The text that a recognition's picture carries; of another call, its body. */
function pictureText(call: string, body: Buffer): string {
  if (call !== 'general') return body.toString('utf8');
  const image = new URLSearchParams(body.toString('latin1')).get('image') ?? '';
  return readPictureComment(Buffer.from(image, 'base64')) ?? '';
}
