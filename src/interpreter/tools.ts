/** What reading, translating and speaking work with. */
import type { Log } from '../log.ts';
import type { ImageFitter } from '../media/picture/image.ts';
import type { VoiceEncoder } from '../media/voice/voice-note.ts';
import type { CallKind } from '../paid-calls.ts';
import type { Service } from '../service/client.ts';
import type { Results } from '../store/kept/results.ts';
import type { Ledger } from '../store/money/ledger.ts';
import type { MemoryBudget } from './memory-budget.ts';
import type { PayOnce } from './pay-once.ts';

/** Shared by all requests of a process. */
export interface Tools {
  readonly service: Service;
  readonly images: ImageFitter;
  readonly voiceEncoder: VoiceEncoder;
  readonly ledger: Ledger;
  readonly results: Results;
  readonly payOnce: PayOnce;
  /** For pictures from their download to the end of their recognition. */
  readonly pictureMemory: MemoryBudget;
  readonly log: Log;
  /** Told of every result that was used again instead of paid for. */
  readonly onReuse?: ((kind: CallKind) => void) | undefined;
}
