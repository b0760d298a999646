/** The first sign of a request that another process may have begun: asked of the queue, together, and only while it is needed. */

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { VOCABULARY } from '../../src/bot.ts';
import type { Work } from '../../src/queue/queue.ts';
import { ChatActions } from '../../src/telegram/api/chat-actions.ts';
import { createFirstSigns } from '../../src/telegram/intake/first-signs.ts';
import { receive as parse } from '../../src/telegram/intake/receipt.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const ME = {
  id: 7,
  is_bot: true as const,
  first_name: 'Lotsawa',
  username: 'lotsawa_bot',
  can_join_groups: true,
  can_read_all_group_messages: false,
  supports_inline_queries: true,
};
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

const anUpdate = (id: number) => ({
  update_id: id,
  message: {
    message_id: 1,
    date: 0,
    chat: { id, type: 'private', first_name: 'Pema' },
    from: { id, is_bot: false, first_name: 'Pema' },
    text: 'བཀྲ་ཤིས།',
  },
});

/** What was asked of the queue, and the chats to which a sign was sent; `waits`: what nobody has begun. */
function receiver() {
  const asked: (readonly number[])[] = [];
  const shown: number[] = [];
  const waits = new Set<number>();
  const signs = createFirstSigns({
    chatActions: new ChatActions(async ({ chat }) => void shown.push(chat)),
    known: { ...VOCABULARY, me: ME },
    isIgnored: () => false,
    isTakenIn: () => true,
    unbegun: async (ids) => {
      asked.push(ids);
      return waits.intersection(new Set(ids));
    },
  });
  const receive = (id: number) => signs.onReceived(parse(anUpdate(id), VOCABULARY, ME), false);
  return { ...signs, asked, shown, waits, receive };
}

it('is asked for all of a moment together, and shown for what waits; what another has begun is not asked for again', async () => {
  const { asked, shown, waits, receive } = receiver();
  waits.add(2);
  for (const id of [1, 2, 3]) {
    receive(id);
    await pass(10);
  }
  await pass(300);
  expect({ asked, shown }).toEqual({ asked: [[1, 2, 3]], shown: [2] });
  await pass(4500);
  expect({ asked, shown }).toEqual({ asked: [[1, 2, 3], [2]], shown: [2, 2] });
  waits.delete(2);
  await pass(60_000);
  expect({ asked, shown }).toEqual({ asked: [[1, 2, 3], [2], [2]], shown: [2, 2] });
});

it('asks nothing for what this process does itself, be it quick or slow', async () => {
  const { asked, shown, receive, whileHandled } = receiver();
  const work = (id: number): Work => ({
    bodies: [anUpdate(id)],
    signal: new AbortController().signal,
    answers: { confirmed: [], confirm: async () => {} },
    mayHaveBegun: false,
    onceGone: () => {},
  });
  const handle = (ms: number) => whileHandled(() => new Promise((resolve) => void setTimeout(resolve, ms)));
  receive(1);
  void handle(50)(work(1));
  void handle(1000)(work(2));
  receive(2);
  await pass(10_000);
  expect({ asked, shown }).toEqual({ asked: [], shown: [2] });
});
