/** The whole world as a page sees it when it connects. */
import type { LocalService } from '../service/local-service.ts';
import type { LocalTelegram } from '../telegram/local-telegram.ts';
import type { FaultSwitches } from './fault-switches.ts';
import { emojiOf, pageChat, pageMessages } from './page-chat.ts';
import type { PageChat, Snapshot } from './protocol.ts';
import { SAMPLES } from './sample-media.ts';

export interface Shown {
  readonly telegram: LocalTelegram;
  readonly service: LocalService;
  readonly switches: FaultSwitches;
}

/** Everything now; later changes come as events. */
export function takeSnapshot({ telegram, service, switches }: Shown): Snapshot {
  const { bot, world } = telegram;
  const chats = world.chats.map((chat) => pageChat(chat, telegram));
  return {
    bot,
    people: world.people.map(({ user }) => user),
    chats,
    messages: Object.fromEntries(chats.map(({ id }) => [id, pageMessages(telegram, id)])),
    reactions: Object.fromEntries(chats.map((chat) => [chat.id, reactionsIn(chat, telegram)])),
    samples: SAMPLES,
    paid: service.paid(),
    faults: switches.read(),
  };
}

/** The emoji under each message of a chat that has some. */
function reactionsIn(chat: PageChat, { world }: LocalTelegram): Record<string, string[]> {
  const reactions = world.messages(chat).map((message) => [message.message_id, emojiOf(world, message)]);
  return Object.fromEntries(reactions.filter(([, emoji]) => Array.isArray(emoji) && emoji.length > 0));
}
