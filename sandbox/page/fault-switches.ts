/** The switches of the page: which failure each kind of service call meets, and whether Telegram is slow or keeps its flood limits. */
import { z } from 'zod';
import { CALL_KINDS } from '../service/call-log.ts';
import { faultCalled, isFaultId, listFaults } from '../service/fault-catalogue.ts';
import type { LocalService } from '../service/local-service.ts';
import type { LocalTelegram } from '../telegram/local-telegram.ts';
import type { PageFaults } from './protocol.ts';

/** What "Slow" adds to every call of the bot to Telegram, ms. */
const SLOW_MS = 1_500;

/** `POST /api/setFaults`: the switches that change. A service fault of `null`: every call of the kind works. */
const change = z.union([
  z.object({ kind: z.enum(CALL_KINDS), fault: z.string().refine(isFaultId).nullable() }),
  z.object({ slow: z.boolean() }),
  z.object({ flood: z.boolean() }),
]);

export class FaultSwitches {
  readonly #telegram: LocalTelegram;
  readonly #service: LocalService;

  constructor(telegram: LocalTelegram, service: LocalService) {
    this.#telegram = telegram;
    this.#service = service;
  }

  /** The switches as they stand, also when something else than the page has moved them. */
  read(): PageFaults {
    const { faults } = this.#service;
    const service = CALL_KINDS.map((kind) => {
      const options = listFaults().filter(({ kinds }) => kinds.includes(kind));
      const current = options.find(({ id }) => faultCalled(id) === faults.standing(kind));
      return { kind, current: current?.id ?? null, options: options.map(({ id, label }) => ({ id, label })) };
    });
    const { latency, flood } = this.#telegram.faults;
    return { service, telegram: { slow: latency > 0, flood: flood !== undefined } };
  }

  /** Moves a switch; throws ZodError for one that is not there. */
  move(request: unknown): void {
    const moved = change.parse(request);
    const { faults } = this.#telegram;
    if ('slow' in moved) faults.latency = moved.slow ? SLOW_MS : 0;
    else if ('flood' in moved) faults.flood = moved.flood ? true : undefined;
    else this.#service.faults.set(moved.kind, moved.fault ?? undefined);
  }
}
