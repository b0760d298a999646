/** The whole world as a page sees it when it connects. */

import type { LocalService } from '../service/local-service.ts';
import type { LocalTelegram } from '../telegram/local-telegram.ts';
import type { Chat } from '../telegram/objects.ts';
import type { FaultSwitches } from './fault-switches.ts';
import type { PageChat, PageSample, Snapshot } from './protocol.ts';
import type { Savings } from './savings.ts';

export interface Shown {
  readonly telegram: LocalTelegram;
  readonly service: LocalService;
  readonly savings: Savings;
  readonly switches: FaultSwitches;
  readonly samples: readonly PageSample[];
}

/** Everything now; later changes come as events. */
export function takeSnapshot({ telegram, service, savings, switches, samples }: Shown): Snapshot {
  const { bot, world } = telegram;
  const chats = world.chats.map((chat) => pageChat(chat, telegram));
  return {
    bot,
    people: world.people.map(({ user }) => user),
    chats,
    messages: Object.fromEntries(chats.map(({ id }) => [id, world.messages(id)])),
    samples: samples.map(({ name, label }) => ({ name, label })),
    paid: service.paid(),
    savedCalls: savings.calls(),
    faults: switches.read(),
  };
}

/** In this sandbox every person is in every group. */
function pageChat({ id, type, title }: Chat, { world }: LocalTelegram): PageChat {
  const memberIds = type === 'private' ? [id] : world.people.map((person) => person.id);
  return { id, type, ...(title !== undefined && { title }), memberIds };
}
