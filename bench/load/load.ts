/** People who ask: at random moments whatever the bot does (open loop), or each as soon as they have their answer (closed loop). */
import { setTimeout as delay } from 'node:timers/promises';
import { createExchange, type Exchange } from './exchange.ts';
import { type PictureMaker, pictureMaker } from './picture.ts';
import { pick, poissonGapMs, type Random, seeded } from './random.ts';
import { drawKind, type Kind, type Mix, type Request, speechLengthMs, wordsOf } from './requests.ts';
import type { LightTelegram } from './telegram.ts';

export interface Load {
  readonly people: number;
  readonly mix: Mix;
  /** Arrivals per second; undefined: a closed loop. */
  readonly perSecond: number | undefined;
  /** The share of requests that repeat, word for word, an answered request of somebody else. */
  readonly repeated?: number;
  /** One more person, who asks for this at this rate, or again after each answer. */
  readonly neighbour?: { readonly kind: Kind; readonly everyMs?: number; readonly speechMs?: number };
  /** In a closed loop: stop after this number of requests. */
  readonly requests?: number;
}

const PHOTO_BYTES = 200_000;
const BIG_PHOTO_BYTES = 7_400_000;
export const FIRST_PERSON = 1001;
/** A person who is measured apart from the others. */
export const NEIGHBOUR = 999;

const COMMAND = { type: 'bot_command', offset: 0, length: '/speak'.length };

export interface Crowd {
  readonly exchange: Exchange;
  speechMs(mark: number): number;
  pictureBytes(mark: number): number;
  /** Asks for `ms`, or for the number of requests that the load says; resolves when the last request was made. */
  run(ms: number): Promise<void>;
}

/** A crowd that writes to this Telegram. */
export async function createCrowd(load: Load, seed: number, telegram: () => LightTelegram): Promise<Crowd> {
  const random = seeded(seed);
  const makers = {
    photo: await pictureMaker(PHOTO_BYTES),
    'big-photo': load.neighbour?.kind === 'big-photo' ? await pictureMaker(BIG_PHOTO_BYTES) : undefined,
  };
  const people = Array.from({ length: load.people }, (_, index) => FIRST_PERSON + index);
  const byMark = new Map<number, Request>();
  const answered: Request[] = [];
  let nextMark = seed * 1_000_000 + 1;
  let asksOn = false;
  let left = load.requests ?? Number.POSITIVE_INFINITY;
  const idle = new Map<number, () => void>();

  const exchange = createExchange((request) => {
    if (!request.isRepeat && request.person !== NEIGHBOUR) answered.push(request);
    idle.get(request.person)?.();
  });

  const fresh = (person: number, kind: Kind, speechMs = load.mix.speechMs): Request => {
    const mark = nextMark++;
    const ms = kind === 'speech' ? speechLengthMs(mark, speechMs) : 0;
    return { mark, kind, person, speechMs: ms, isRepeat: false };
  };

  /** A request that another person asked and got answered; each is used once, so that nobody asks twice for the same. */
  const repeated = (person: number, from: Random): Request | undefined => {
    const index = Math.floor(from() * answered.length);
    const model = answered[index];
    if (model === undefined || model.person === person) return undefined;
    answered.splice(index, 1);
    return { ...model, person, isRepeat: true };
  };

  const ask = (request: Request): void => {
    byMark.set(request.mark, request);
    exchange.asked(request);
    telegram().deliver({ ...from(request.person), ...contentOf(request, makers, telegram()) });
  };

  const draw = (person: number, from: Random): Request => {
    const again = from() < (load.repeated ?? 0) ? repeated(person, from) : undefined;
    return again ?? fresh(person, drawKind(from, load.mix));
  };

  const askAtRandom = async (perSecond: number, until: number): Promise<void> => {
    for (let at = performance.now(); ; ) {
      at += poissonGapMs(random, perSecond);
      if (at > until) return;
      await delay(Math.max(0, at - performance.now()));
      ask(draw(pick(random, people), random));
    }
  };

  /** Each person has a random sequence of their own, so that their requests do not depend on who is faster. */
  const askInTurn = async (person: number): Promise<void> => {
    const own = seeded(seed * 1000 + person);
    while (asksOn && left > 0) {
      left -= 1;
      await answerTo(draw(person, own));
    }
  };

  const answerTo = (request: Request): Promise<void> =>
    new Promise((resolve) => {
      idle.set(request.person, () => {
        idle.delete(request.person);
        resolve();
      });
      ask(request);
    });

  const askBeside = async ({ kind, everyMs, speechMs }: NonNullable<Load['neighbour']>): Promise<void> => {
    while (asksOn) {
      const request = fresh(NEIGHBOUR, kind, speechMs);
      if (everyMs === undefined) await answerTo(request);
      else {
        ask(request);
        await delay(everyMs);
      }
    }
  };

  return {
    exchange,
    speechMs: (mark) => byMark.get(mark)?.speechMs ?? 0,
    pictureBytes: (mark) => {
      const kind = byMark.get(mark)?.kind;
      return kind === 'photo' || kind === 'big-photo' ? (makers[kind]?.(mark).length ?? 0) : 0;
    },
    run: async (ms) => {
      asksOn = true;
      const until = performance.now() + ms;
      const beside = load.neighbour && askBeside(load.neighbour);
      if (load.perSecond !== undefined) await askAtRandom(load.perSecond, until);
      else {
        const turns = Promise.all(people.map(askInTurn));
        await (load.requests === undefined ? delay(ms) : turns);
      }
      asksOn = false;
      // People who wait for an answer ask nothing more; the measurement does not wait for lost answers.
      if (beside !== undefined) await Promise.race([beside, delay(ms)]);
    },
  };
}

function from(person: number): object {
  const id = person;
  return {
    date: Math.floor(Date.now() / 1000),
    from: { id, is_bot: false, first_name: `P${id}`, language_code: 'en' },
    chat: { id, type: 'private', first_name: `P${id}` },
  };
}

function contentOf(
  request: Request,
  makers: { photo: PictureMaker; 'big-photo': PictureMaker | undefined },
  telegram: LightTelegram,
): object {
  const { kind, mark } = request;
  if (kind === 'text') return { text: wordsOf(request) };
  if (kind === 'speech') return { text: wordsOf(request), entities: [COMMAND] };
  const id = `picture-${mark}`;
  const make = makers[kind];
  if (make === undefined) throw new Error(`this load makes no ${kind}`);
  const picture = make(mark);
  telegram.hold(id, () => picture);
  const file = { file_id: id, file_unique_id: id, file_size: picture.length };
  if (kind === 'photo') return { photo: [{ ...file, width: 640, height: 480 }] };
  return { document: { ...file, file_name: 'page.jpg', mime_type: 'image/jpeg' } };
}
