/** The answers to a request: none twice, and none once another process has taken it over. */
import { describe, expect, it } from 'vitest';
import type { SentMessage } from '../../src/queue/request-row.ts';
import { NetworkError } from '../../src/telegram/api/http-exchange.ts';
import { Outbox } from '../../src/telegram/outbox/outbox.ts';

/** The answers to a request whose row holds `sent`, and what is done about them. */
function outboxWith(sent: readonly SentMessage[]) {
  const done: string[] = [];
  const state = { isLeft: false, isReceiptLost: false, isAway: false, noted: sent };
  const row = { id: 1, lane: '7', album: undefined, strikes: 0, failures: 0 };
  const request = { ...row, isCancelled: false, consent: 0, sent, asked: undefined, body: {} };
  const outbox = new Outbox({
    work: {
      request,
      note: async (messages) => {
        state.noted = messages;
      },
    },
    throwIfLeft: () => {
      if (state.isLeft) throw new Error('left to another process');
    },
    reachTelegram: async () => {
      if (state.isAway) throw new NetworkError('ECONNREFUSED');
    },
    onUnnoted: () => {},
  });
  const post = () =>
    outbox.post({
      kind: 'text',
      send: async () => {
        const message_id = 10 + done.push('sent');
        if (state.isReceiptLost) throw new NetworkError('ECONNRESET');
        return { message_id };
      },
      edit: async () => {
        done.push('edited');
        return 'edited';
      },
    });
  return { outbox, done, state, post };
}

it('none is sent, and none is edited, once the work is left to another process', async () => {
  const { done, state, post } = outboxWith([{ id: 1, kind: 'text', isOld: true }]);
  await post();
  state.isLeft = true;
  await expect(post()).rejects.toThrow('left to another process');
  expect(done).toEqual(['edited']);
});

describe('a message whose receipt was lost', () => {
  it('is sent once more, and then counts as sent', async () => {
    const first = outboxWith([]);
    first.state.isReceiptLost = true;
    await expect(first.post()).rejects.toThrow(NetworkError);
    const second = outboxWith(first.state.noted);
    second.state.isReceiptLost = true;
    await second.post();
    expect([first.done, second.done]).toEqual([['sent'], ['sent']]);
    expect(outboxWith(second.state.noted).outbox.isPartlyAnswered).toBe(true);
  });

  it('is not sent again before Telegram answers at all', async () => {
    const first = outboxWith([]);
    first.state.isReceiptLost = true;
    await expect(first.post()).rejects.toThrow(NetworkError);
    const second = outboxWith(first.state.noted);
    second.state.isAway = true;
    await expect(second.post()).rejects.toThrow(NetworkError);
    expect(second.done).toEqual([]);
  });
});
