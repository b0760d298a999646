/** Telegram's flood limits according to its FAQ: per chat and second, per group and minute, over all chats. */
import { tooManyRequests } from './api-error.ts';

export interface FloodLimits {
  /** Messages per second in one chat; default 1. */
  perChatPerSecond?: number;
  /** Messages per minute in one group; default 20. */
  perGroupPerMinute?: number;
  /** Messages per second over all chats; default 30. */
  perSecond?: number;
}

const SECOND = 1000;
const MINUTE = 60_000;

export class FloodGate {
  readonly #sent = new Map<string, number[]>();

  /** Counts a message or edit to a chat at `at` (ms); throws ApiError 429 when a limit is reached. */
  pass(chat: { id: number; type: string }, limits: FloodLimits, at: number): void {
    const windows = [
      { key: 'all', span: SECOND, most: limits.perSecond ?? 30 },
      { key: `${chat.id}/second`, span: SECOND, most: limits.perChatPerSecond ?? 1 },
      ...(chat.type === 'private'
        ? []
        : [{ key: `${chat.id}/minute`, span: MINUTE, most: limits.perGroupPerMinute ?? 20 }]),
    ];
    for (const { key, span, most } of windows) {
      const recent = (this.#sent.get(key) ?? []).filter((time) => time > at - span);
      this.#sent.set(key, recent);
      const oldest = recent.at(-most);
      if (oldest !== undefined) throw tooManyRequests(Math.max(1, Math.ceil((oldest + span - at) / SECOND)));
    }
    for (const { key } of windows) this.#sent.get(key)?.push(at);
  }
}
