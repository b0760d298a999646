/** People who ask: at random moments whatever the bot does (open loop), or each as soon as they have their answer (closed loop). */
import { setTimeout as delay } from 'node:timers/promises';
import type { Stage } from '../stage.ts';
import { Exchange } from './exchange.ts';
import { type AnsweredText, deliver } from './messages.ts';
import { pictureMaker, redrawnPicture } from './picture.ts';
import { pick, poissonGapMs, type Random, seeded } from './random.ts';
import { drawKind, GROUPS, type Kind, type Mix, type Request, speechLengthMs } from './requests.ts';

export interface Load {
  readonly people: number;
  readonly mix: Mix;
  /** Arrivals per second; undefined: a closed loop. */
  readonly perSecond?: number;
  /** In a closed loop: how many ask at once, in turns; all of them unless given. */
  readonly atOnce?: number;
  /** The share of requests that repeat, word for word, an answered request of somebody else. */
  readonly repeated?: number;
  /** One more person, who asks for this at this rate, or again after each answer. */
  readonly neighbour?: { readonly kind: Kind; readonly everyMs?: number; readonly speechMs?: number };
}

const PHOTO_BYTES = 200_000;
const BIG_PHOTO_BYTES = 7_400_000;
const FIRST_PERSON = 1001;
/** A person who is measured apart from the others. */
export const NEIGHBOUR = 999;
/** In a closed loop: a request without an answer for so long is given up, and somebody else asks. */
const PATIENCE_MS = 120_000;

export interface Crowd {
  readonly exchange: Exchange;
  /** Asks for this time, in ms, or this number of requests; resolves when the last request was made, in a closed loop answered. */
  run(until: { ms: number } | { requests: number }): Promise<void>;
}

/** A crowd that writes to the bots of this stage. */
export async function createCrowd(load: Load, seed: number, { telegram, service }: Stage): Promise<Crowd> {
  const random = seeded(seed);
  const pictures = {
    photo: await pictureMaker(PHOTO_BYTES),
    'big-photo': await pictureMaker(BIG_PHOTO_BYTES),
    redrawn: redrawnPicture,
  };
  const people = Array.from({ length: load.people }, (_, index) => FIRST_PERSON + index);
  const atOnce = load.atOnce ?? load.people;
  const byMark = new Map<number, Request>();
  const answered: Request[] = [];
  const questions = new Map<number, number>();
  const lastOf = new Map<number, AnsweredText>();
  const idle = new Map<number, () => void>();
  let nextMark = seed * 1_000_000 + 1;
  let asksOn = false;
  let left = 0;

  const exchange = new Exchange((request, { messageId }) => {
    const { kind, mark, person, isRepeat } = request;
    if (load.repeated !== undefined && !isRepeat && person !== NEIGHBOUR) answered.push(request);
    const question = questions.get(mark);
    if (kind === 'text' && question !== undefined) lastOf.set(person, { mark, question, answer: messageId });
    questions.delete(mark);
    idle.get(person)?.();
  });
  telegram.onSent = (sent) => exchange.sent(sent);
  service.expects = {
    speechMs: (mark) => byMark.get(mark)?.speechMs ?? 0,
    pictureBytes: (mark) => {
      const kind = byMark.get(mark)?.kind;
      return kind === 'photo' || kind === 'big-photo' ? pictures[kind](mark).length : 0;
    },
  };

  const fresh = (person: number, kind: Kind, speechMs = load.mix.speechMs): Request => {
    const mark = nextMark++;
    const where = kind === 'group' ? -1 - (mark % GROUPS) : kind === 'inline' ? `inline-${mark}` : person;
    const ms = kind === 'speech' ? speechLengthMs(mark, speechMs) : 0;
    return { mark, kind, person, where: String(where), speechMs: ms, isRepeat: false };
  };

  /** A request that another person asked and got answered; each is used once, so that nobody asks twice for the same. */
  const repeated = (person: number, from: Random): Request | undefined => {
    const index = Math.floor(from() * answered.length);
    const model = answered[index];
    if (model === undefined || model.person === person) return undefined;
    answered.splice(index, 1);
    return { ...model, person, where: String(person), isRepeat: true };
  };

  const draw = (person: number, from: Random): Request => {
    const again = from() < (load.repeated ?? 0) ? repeated(person, from) : undefined;
    if (again !== undefined) return again;
    const kind = drawKind(from, load.mix);
    if (kind !== 'press' && kind !== 'edit') return fresh(person, kind);
    const last = lastOf.get(person);
    if (last === undefined) return fresh(person, 'text');
    const request = fresh(person, kind);
    return kind === 'press' ? { ...request, mark: last.mark } : request;
  };

  const ask = async (request: Request): Promise<void> => {
    byMark.set(request.mark, request);
    exchange.asked(request);
    const { kind, person, mark } = request;
    const message = await deliver(request, { telegram, pictures, last: lastOf.get(person) });
    if (kind === 'text') questions.set(mark, message);
    if (kind === 'edit') lastOf.delete(person);
  };

  const askAtRandom = async (perSecond: number, until: number): Promise<void> => {
    for (let at = performance.now(); ; ) {
      at += poissonGapMs(random, perSecond);
      if (at > until) return;
      await delay(Math.max(0, at - performance.now()));
      void ask(draw(pick(random, people), random));
    }
  };

  const answerTo = (request: Request): Promise<void> =>
    new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(patience);
        idle.delete(request.person);
        resolve();
      };
      const patience = setTimeout(end, PATIENCE_MS);
      idle.set(request.person, end);
      void ask(request);
    });

  /** Each has a random sequence of their own, so that their requests do not depend on who is faster. */
  const askInTurn = async (seat: number): Promise<void> => {
    const own = seeded(seed * 1000 + FIRST_PERSON + seat);
    for (let index = seat; asksOn && left > 0; index = (index + atOnce) % people.length) {
      left -= 1;
      await answerTo(draw(people[index] ?? FIRST_PERSON, own));
    }
  };

  const askBeside = async ({ kind, everyMs, speechMs }: NonNullable<Load['neighbour']>): Promise<void> => {
    while (asksOn) {
      const request = fresh(NEIGHBOUR, kind, speechMs);
      if (everyMs === undefined) await answerTo(request);
      else {
        void ask(request);
        await delay(everyMs);
      }
    }
  };

  return {
    exchange,
    run: async (until) => {
      const ms = 'ms' in until ? until.ms : Number.POSITIVE_INFINITY;
      left = 'ms' in until ? Number.POSITIVE_INFINITY : until.requests;
      asksOn = true;
      const beside = load.neighbour && askBeside(load.neighbour);
      if (load.perSecond !== undefined) await askAtRandom(load.perSecond, performance.now() + ms);
      else {
        const turns = Promise.all(Array.from({ length: atOnce }, (_, seat) => askInTurn(seat)));
        await ('ms' in until ? delay(ms) : turns);
      }
      asksOn = false;
      // People who wait for an answer ask nothing more; the measurement does not wait for lost answers.
      if (beside !== undefined) await Promise.race([beside, delay(ms)]);
    },
  };
}
