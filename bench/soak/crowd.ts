/** Thousands of people who ask for everything that the bot can do, each as soon as somebody else was answered. */
import { marked } from '../marks.ts';
import { createRequests, type Request } from './requests.ts';
import type { Seen } from './world.ts';

export interface Tally {
  asked: number;
  answered: number;
  /** What was given up waiting for, by kind. */
  readonly lost: string[];
  doubled: number;
  /** What came instead of an answer. */
  readonly wrong: string[];
  /** By kind, how often it was asked for. */
  readonly kinds: Record<string, number>;
}

export interface Crowd {
  readonly tally: Tally;
  /** Makes this number of requests, `atOnce` at a time; resolves when all are answered, or when none was for `patienceMs`. */
  ask(count: number, atOnce: number, patienceMs: number): Promise<void>;
  seen(seen: Seen): void;
}

/** `deliver` takes an update without its id. */
export function createCrowd(deliver: (update: object) => void): Crowd {
  const tally: Tally = { asked: 0, answered: 0, lost: [], doubled: 0, wrong: [], kinds: {} };
  const open = new Map<string, Request>();
  const requests = createRequests((where) => open.has(where));
  let onAnswer = (): void => {};

  const askOne = (): void => {
    const request = requests.draw();
    open.set(request.where, request);
    tally.asked += 1;
    tally.kinds[request.kind] = (tally.kinds[request.kind] ?? 0) + 1;
    deliver(request.update);
  };

  return {
    tally,
    seen: ({ method, where, words, messageId }) => {
      const request = open.get(where);
      if (request === undefined) {
        tally.doubled += 1;
        return;
      }
      const { kind, mark, answeredBy } = request;
      if (method !== answeredBy || (kind !== 'sticker' && !words.includes(marked(mark)))) {
        tally.wrong.push(`${kind} ${mark}: ${method} ${words.slice(0, 60)}`);
        return;
      }
      open.delete(where);
      tally.answered += 1;
      requests.answered(request, messageId);
      onAnswer();
    },
    ask: (count, atOnce, patienceMs) =>
      new Promise((resolve) => {
        let left = count;
        const giveUp = (): void => {
          tally.lost.push(...[...open.values()].map(({ kind, mark }) => `${kind} ${mark}`));
          open.clear();
          resolve();
        };
        let patience = setTimeout(giveUp, patienceMs);
        onAnswer = () => {
          clearTimeout(patience);
          patience = setTimeout(giveUp, patienceMs);
          while (left > 0 && open.size < atOnce) {
            left -= 1;
            askOne();
          }
          if (left === 0 && open.size === 0) {
            clearTimeout(patience);
            resolve();
          }
        };
        onAnswer();
      }),
  };
}
