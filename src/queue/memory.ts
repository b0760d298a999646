/** The queue kept in memory: fast, and gone with the process. */
import { type Job, Lanes } from './lanes.ts';
import { ALBUM_PAUSE_MS, type Queue, type QueuedUpdate, type QueueHandler } from './queue.ts';

export interface MemoryQueueOptions {
  /** Updates handled at once. */
  readonly workers: number;
  /** Told of a handler that threw; the queue goes on. */
  readonly onHandlerError: (error: unknown) => void;
}

interface AlbumJob extends Job {
  readonly album: string | undefined;
  readonly once: string | undefined;
  readonly bodies: readonly unknown[];
}

/** A queue in memory; `push` resolves at once and promises nothing over a crash. */
export function createMemoryQueue({ workers, onHandlerError }: MemoryQueueOptions): Queue {
  const aborter = new AbortController();
  const underWay = new Set<string>();
  let handler: QueueHandler | undefined;

  const lanes = new Lanes<AlbumJob>(workers, async (job) => {
    try {
      await handler?.(job.bodies, aborter.signal);
    } catch (error) {
      onHandlerError(error);
    } finally {
      if (job.once !== undefined) underWay.delete(job.once);
    }
  });

  const take = ({ lane, album, once, body }: QueuedUpdate): void => {
    if (once !== undefined) {
      if (underWay.has(once)) return;
      underWay.add(once);
    }
    const begun = album === undefined ? undefined : lanes.findWaiting(lane, (job) => job.album === album);
    const dueAt = album === undefined ? 0 : Date.now() + ALBUM_PAUSE_MS;
    if (begun === undefined) lanes.add({ lane, album, once, dueAt, bodies: [body] });
    else lanes.replace(begun, { ...begun, dueAt, bodies: [...begun.bodies, body] });
  };

  const early: QueuedUpdate[] = [];
  return {
    push: async (updates) => {
      if (handler === undefined) early.push(...updates);
      else updates.forEach(take);
    },
    start: (theHandler) => {
      handler = theHandler;
      early.splice(0).forEach(take);
    },
    stop: async (graceMs) => {
      const timer = setTimeout(() => aborter.abort(), graceMs);
      await lanes.close();
      clearTimeout(timer);
    },
    depth: () => early.length + lanes.depth,
  };
}
