/** A chat of the local Telegram, and the reactions to a message, as the page shows them. */

import type { LocalTelegram } from '../telegram/local-telegram.ts';
import { isAnonymous, isPresent } from '../telegram/membership.ts';
import type { Chat, Message } from '../telegram/objects.ts';
import type { World } from '../telegram/world.ts';
import type { PageChat } from './protocol.ts';

export function pageChat({ id, type, title, is_forum }: Chat, { world, bot }: LocalTelegram): PageChat {
  const group = world.group(id);
  const named = { id, type, ...(title !== undefined && { title }), ...(is_forum && { is_forum }) };
  if (group === undefined) {
    const person = world.people.find((one) => one.id === id);
    const members = [id, bot.id].map((member) => ({
      id: member,
      status: 'member' as const,
      isAnonymous: false,
    }));
    const { blocksBot = false, forbidsVoice = false } = person ?? {};
    const description = person && world.descriptionFor(person);
    return { ...named, members, topics: [], ...(description && { description }), blocksBot, forbidsVoice };
  }
  const { upgradedTo, topics, isGeneralClosed } = group;
  return {
    ...named,
    members: group.members
      .filter(({ status }) => isPresent(status))
      .map((member) => ({ id: member.user.id, status: member.status, isAnonymous: isAnonymous(member) })),
    topics,
    ...(isGeneralClosed && { isGeneralClosed }),
    ...(upgradedTo !== undefined && { upgradedTo }),
    blocksBot: false,
    forbidsVoice: false,
  };
}

/** A message with the page's id: an ephemeral message has no id in its chat, so it gets the negative of its own. */
export function pageMessage(message: Message): Message {
  const id = message.ephemeral_message_id;
  return id === undefined ? message : { ...message, message_id: -id };
}

/** The messages of a chat, with ephemeral ones at the place where they came. */
export function pageMessages({ world }: Pick<LocalTelegram, 'world'>, chatId: number): Message[] {
  const all = [...world.messages(chatId), ...world.ephemerals(chatId)];
  return all.sort((one, other) => one.date - other.date).map(pageMessage);
}

/** The emoji of everyone's reactions to a message. */
export function emojiOf(world: World, message: Message): string[] {
  return world.reactions(message).flatMap(({ emoji }) => emoji ?? []);
}
