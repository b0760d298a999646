/** A scene with a breakable way to Telegram and to each of the service's two hosts. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import { z } from 'zod';
import { wordsInPicture } from '../../sandbox/service/picture-words.ts';
import type { Message } from '../../sandbox/telegram/objects.ts';
import type { Person } from '../../sandbox/telegram/person.ts';
import { freePort } from '../free-port.ts';
import { hasTibetan, newChinese, numberOf } from '../phrases.ts';
import { type Scene, startScene } from '../scene.ts';
import { behind } from '../shared-scene.ts';
import { instead } from './breakages.ts';
import { answerWith, type Breakage, type FaultProxy, startFaultProxy } from './fault-proxy.ts';
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

export interface Stage extends Scene {
  readonly toTelegram: FaultProxy;
  /** To the token and to recognition. */
  readonly toAuth: FaultProxy;
  /** To translation and to speech. */
  readonly toBase: FaultProxy;
  /** Has somebody new ask for a translation; resolves when the service has made it, and its answer, or another, waits. */
  callUnderWay(another?: Breakage): Promise<CallUnderWay>;
  account(person: number): Account;
  /** How many results that a person caused are kept. */
  kept(person: number): number;
  /** Calls with this in their text that reached the service, which charges for each. */
  charged(mark: string): number;
  /** Does something, and waits until the bot's log has these words once more than before. */
  logsMore<T>(words: string, work: () => T | Promise<T>): Promise<T>;
  /** Somebody new sends a text and has its translation: the bot lives, and takes updates in. */
  servesOthers(): Promise<void>;
  /** The bot gets this as the body of an answer to `getUpdates`; resolves when it asks again, and so is done with it. */
  givesUpdates(body: string): Promise<void>;
  /** Resolves when nothing waits in the bot's queue or is handled. */
  idle(): Promise<void>;
  /** The most memory that the bot's process has held so far, in MB. */
  peakMemoryMb(): number;
  residue(): Promise<Residue>;
}

interface StageOptions {
  readonly env?: Record<string, string>;
  /** The bot reaches its servers by the names `telegram.test`, `auth.test` and `base.test`. */
  readonly named?: boolean;
  /** Lays faults on the way to Telegram before the bot starts. */
  readonly breakStart?: (toTelegram: FaultProxy) => void;
}

/** The stage of all tests of the file, or the `describe`, that calls this; at its end it is seen that the bot left nothing behind. */
export function useStage(options: StageOptions | (() => Promise<StageOptions>) = {}): Stage {
  let stage: Stage | undefined;
  beforeAll(async () => {
    stage = await startStage(typeof options === 'function' ? await options() : options);
  });
  afterAll(async () => {
    try {
      expect(stage?.log()).not.toMatch(/uncaught|unhandled|Warning:/i);
      const left = async () =>
        expect(await stage?.residue()).toMatchObject({ children: 0, temporaryFiles: 0 });
      await vi.waitFor(left, 60_000);
    } finally {
      await stage?.close();
    }
  });
  return behind(() => stage);
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
        await startFaultProxy(telegram.apiRoot),
        await startFaultProxy(service.url, pictureText),
        await startFaultProxy(service.url),
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
  const [toTelegram, toAuth, toBase] = proxies;
  if (toTelegram === undefined || toAuth === undefined || toBase === undefined)
    throw new Error('no way was laid');
  const { telegram, newcomer } = scene;

  const charged = (mark: string) => toAuth.passedOn(mark) + toBase.passedOn(mark);
  /** Named counts of what the bot has written down of a person. */
  const countsOf = (query: string, person: number): Map<string, number> => {
    const database = new Sqlite(scene.databaseFile, { readonly: true });
    try {
      const rows = counts.parse(database.prepare(query).all(String(person)));
      return new Map(rows.map(({ name, count }) => [name, count]));
    } finally {
      database.close();
    }
  };
  const servesOthers = async (): Promise<void> => {
    const text = newChinese();
    const answer = await scene.ask(newcomer(), text);
    expect(answer.text).toSatisfy(hasTibetan);
    expect(numberOf(answer.text)).toBe(numberOf(text));
  };

  return {
    ...scene,
    toTelegram,
    toAuth,
    toBase,
    callUnderWay: async (another) => {
      const person = newcomer();
      const text = newChinese();
      const number = numberOf(text) ?? '';
      const released = Promise.withResolvers<void>();
      toBase.breakNext({
        call: 'translation',
        mark: number,
        breakage: async (exchange) => {
          const answer = await exchange.forward();
          await released.promise;
          if (another === undefined) answerWith(exchange.response, answer);
          else another(exchange);
        },
      });
      const asked = person.send(person.chat, { text });
      await telegram.world.waitUntil(() => charged(number) === 1);
      return { person, text, number, asked, goesOn: released.resolve };
    },
    account: (person) => {
      const of = countsOf(
        'select outcome as name, count(*) as count from ledger where person = ? group by outcome',
        person,
      );
      const count = (outcome: string) => of.get(outcome) ?? 0;
      return {
        charged: count('charged'),
        failed: count('failed'),
        inDoubt: count('in-doubt'),
        begun: count('begun'),
      };
    },
    kept: (person) =>
      countsOf("select 'all' as name, count(*) as count from results where person = ?", person).get('all') ??
      0,
    charged,
    logsMore: async (words, work) => {
      const times = () => scene.log().split(words).length;
      const before = times();
      const result = await work();
      await expect.poll(times).toBeGreaterThan(before);
      return result;
    },
    servesOthers,
    givesUpdates: async (body) => {
      const taken = Promise.withResolvers<void>();
      toTelegram.breakNext({ call: 'getUpdates', breakage: instead(200, body) });
      toTelegram.breakNext({
        call: 'getUpdates',
        breakage: async ({ response, forward }) => {
          taken.resolve();
          answerWith(response, await forward());
        },
      });
      // Ends the poll that is under way, so that the next one comes.
      await servesOthers();
      await taken.promise;
    },
    idle: async () => {
      const metrics = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
      await expect.poll(metrics).toMatch(/^lotsawa_queue_depth 0$/m);
    },
    peakMemoryMb: () => peakMemoryMb(scene),
    residue: () => residueOf(scene.bot().pid ?? 0, port, temporary),
    close: async () => {
      await scene.close();
      await Promise.all(proxies.map((proxy) => proxy.close()));
      rmSync(temporary, { recursive: true, force: true });
    },
  };
}

const counts = z.array(z.object({ name: z.string(), count: z.number() }));

/** The most memory that the bot's process has held so far (VmHWM), in MB. */
export function peakMemoryMb({ bot }: Scene): number {
  const status = readFileSync(`/proc/${bot().pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}

/** The text that a recognition's picture carries; of another call, its body. */
async function pictureText(call: string, body: Buffer): Promise<string> {
  if (call !== 'general') return body.toString('utf8');
  const image = new URLSearchParams(body.toString('latin1')).get('image') ?? '';
  return (await wordsInPicture(Buffer.from(image, 'base64'))) ?? '';
}
