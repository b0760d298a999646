/** The switches of the page: which failure each kind of service call meets, and whether Telegram is slow or keeps its flood limits. */
import { CALL_KINDS, type CallKind } from '../service/call-log.ts';
import { faultCalled, isFaultId, listFaults } from '../service/fault-catalogue.ts';
import type { LocalService } from '../service/local-service.ts';
import type { LocalTelegram } from '../telegram/local-telegram.ts';
import type { PageFaults } from './protocol.ts';
import { Refusal } from './refusal.ts';

/** What "Slow" adds to every call of the bot to Telegram, ms. */
const SLOW_MS = 1_500;

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

  /** Lets every call of the kind meet a fault, or none (`null`); throws Refusal 400 for an unknown fault. */
  setService(kind: CallKind, fault: string | null): void {
    if (fault !== null && !isFaultId(fault)) throw new Refusal(400, 'There is no such fault');
    this.#service.faults.set(kind, fault ?? undefined);
  }

  /** Moves the switches that are named. */
  setTelegram({ slow, flood }: { slow?: boolean | undefined; flood?: boolean | undefined }): void {
    const { faults } = this.#telegram;
    if (slow !== undefined) faults.latency = slow ? SLOW_MS : 0;
    if (flood !== undefined) faults.flood = flood ? true : undefined;
  }
}
