/** The person who acts at the page: finds what they act on by the page's ids, or refuses. */
import { z } from 'zod';
import type { Group } from '../telegram/group.ts';
import type { LocalTelegram } from '../telegram/local-telegram.ts';
import type { Chat, Message } from '../telegram/objects.ts';
import type { Person } from '../telegram/person.ts';
import type { Placement } from '../telegram/person-messages.ts';
import type { World } from '../telegram/world.ts';
import { Refusal } from './refusal.ts';

export const id = z.int();

/**
 * Where a message goes: `replyTo` is a message id of that chat, `threadId` a topic of it, `quote` the part of the message that is
 * replied to, which begins at `quotePosition` (UTF-16 code units).
 */
export const destination = {
  chatId: id,
  replyTo: id.optional(),
  threadId: id.optional(),
  quote: z.string().optional(),
  quotePosition: id.optional(),
};
type Destination = z.output<z.ZodObject<typeof destination>>;

export class Actor {
  readonly person: Person;
  readonly world: World;
  /** The bot's id. */
  readonly botId: number;

  /** Throws Refusal 404 if there is no such person. */
  constructor({ world, bot }: LocalTelegram, personId: number) {
    this.world = world;
    this.botId = bot.id;
    this.person = this.other(personId);
  }

  /** Any person; throws Refusal 404. */
  other(personId: number): Person {
    const person = this.world.people.find(({ id }) => id === personId);
    if (person === undefined) throw new Refusal(404, 'There is no such person');
    return person;
  }

  /** A chat; throws Refusal 404, and 403 for another person's private chat. */
  chat(chatId: number): Chat {
    const chat = this.world.chat(chatId);
    if (chat === undefined) throw new Refusal(404, 'There is no such chat');
    if (chat.type === 'private' && chat.id !== this.person.id)
      throw new Refusal(403, 'This is the chat of another person');
    return chat;
  }

  /** A message with its number on the page (`pageMessage`); throws Refusal as `chat` does, and 404 for one that is gone. */
  message({ chatId, messageId }: { chatId: number; messageId: number }): Message {
    const { id } = this.chat(chatId);
    const message =
      messageId < 0
        ? this.world.ephemerals(id).find(({ ephemeral_message_id }) => ephemeral_message_id === -messageId)
        : this.world.messages(id).find(({ message_id }) => message_id === messageId);
    if (message === undefined) throw new Refusal(404, 'This message is gone');
    return message;
  }

  /** What places a message in its chat, as the local Telegram takes it; throws Refusal as `message` does. */
  placement({ chatId, replyTo, threadId, quote, quotePosition }: Destination): Placement {
    return {
      ...(replyTo !== undefined && { replyTo: this.message({ chatId, messageId: replyTo }) }),
      ...(threadId !== undefined && { threadId }),
      ...(quote && { quote }),
      ...(quotePosition !== undefined && { quotePosition }),
    };
  }

  /** A group or channel; throws Refusal 404. */
  group(chatId: number): Group {
    const group = this.world.group(chatId);
    if (group === undefined) throw new Refusal(404, 'There is no such group');
    return group;
  }

  /** A group of this person; throws Refusal 403 if they are no member. */
  asMember(chatId: number): Group {
    const group = this.group(chatId);
    if (!group.has(this.person)) throw new Refusal(403, 'Only members do this');
    return group;
  }

  /** A group that this person administers; throws Refusal 403 if they do not. */
  asAdmin(chatId: number): Group {
    const group = this.asMember(chatId);
    if (!group.isAdmin(this.person)) throw new Refusal(403, 'Only admins do this');
    return group;
  }
}
