/** Finds people, groups and messages of the local Telegram by the page's ids, or refuses. */
import type { Group } from '../telegram/group.ts';
import type { LocalTelegram } from '../telegram/local-telegram.ts';
import type { Chat, Message } from '../telegram/objects.ts';
import type { Person } from '../telegram/person.ts';
import type { Placement } from '../telegram/person-messages.ts';
import { Refusal } from './refusal.ts';

export interface ActorPlace {
  readonly person: Person;
  readonly chat: Chat;
  /** The message that is replied to. */
  readonly replyTo: Message | undefined;
  readonly threadId: number | undefined;
  /** The part of that message that is quoted. */
  readonly quote: { readonly text: string; readonly position: number | undefined } | undefined;
}

/** The part of a place that is inside of its chat, as the local Telegram takes it. */
export function within({ replyTo, threadId, quote }: ActorPlace): Placement {
  return {
    ...(replyTo && { replyTo }),
    ...(threadId !== undefined && { threadId }),
    ...(quote && { quote: quote.text }),
    ...(quote?.position !== undefined && { quotePosition: quote.position }),
  };
}

/** The person with this id; throws Refusal 404. */
export function findPerson({ world }: LocalTelegram, personId: number): Person {
  const person = world.people.find(({ id }) => id === personId);
  if (person === undefined) throw new Refusal(404, 'There is no such person');
  return person;
}

/** The group with this id; throws Refusal 404. */
export function findGroup({ world }: LocalTelegram, chatId: number): Group {
  const group = world.group(chatId);
  if (group === undefined) throw new Refusal(404, 'There is no such group');
  return group;
}

/** Finds the message with this number on the page (`pageMessage`); throws Refusal 404. */
export function findMessage({ world }: LocalTelegram, chatId: number, messageId: number): Message {
  const message =
    messageId < 0
      ? world.ephemerals(chatId).find(({ ephemeral_message_id: id }) => id === -messageId)
      : world.messages(chatId).find(({ message_id }) => message_id === messageId);
  if (message === undefined) throw new Refusal(404, 'This message is gone');
  return message;
}

/** Finds the person and the chat of an action; nobody may act in another's private chat. Throws Refusal 403 or 404. */
export function findPlace(
  telegram: LocalTelegram,
  ids: {
    personId: number;
    chatId: number;
    replyTo?: number | undefined;
    threadId?: number | undefined;
    quote?: string | undefined;
    quotePosition?: number | undefined;
  },
): ActorPlace {
  const person = findPerson(telegram, ids.personId);
  const chat = telegram.world.chat(ids.chatId);
  if (chat === undefined) throw new Refusal(404, 'There is no such chat');
  if (chat.type === 'private' && chat.id !== person.id)
    throw new Refusal(403, 'This is the chat of another person');
  const replyTo = ids.replyTo === undefined ? undefined : findMessage(telegram, chat.id, ids.replyTo);
  const quote = ids.quote ? { text: ids.quote, position: ids.quotePosition } : undefined;
  return { person, chat, replyTo, threadId: ids.threadId, quote };
}
