/** The people's side of the local Telegram: people, groups, what was said, and ways to wait for what comes. */
import { badRequest } from './api-error.ts';
import { commandScopes } from './command-scopes.ts';
import type { Core } from './core.ts';
import type { WorldEvents } from './events.ts';
import { Group } from './group.ts';
import { createChannel, createGroup, type NewChannel, type NewGroup } from './new-group.ts';
import type { BotCommand, BotCommandScope, Chat, Message, ReactionType } from './objects.ts';
import { type NewPerson, Person } from './person.ts';
import { isEphemeralCommand } from './person-ephemeral.ts';
import { type ChatRef, chatId } from './person-messages.ts';
import { waitUntil } from './wait-until.ts';

interface WaitOptions {
  /** Only messages that came later than this one (a message or its id). */
  after?: Message | number;
  /** In ms; 120 000 by default. */
  timeoutMs?: number;
}

export class World {
  readonly #core: Core;
  #nextPersonId = 5_000_001;
  #nextGroupId = 4_000_001;

  constructor(core: Core) {
    this.#core = core;
  }

  get events(): WorldEvents {
    return this.#core.events;
  }

  get people(): readonly Person[] {
    return [...this.#core.rooms.values()].filter((room) => room instanceof Person);
  }

  /** Every chat that the bot could have to do with, private ones included. */
  get chats(): Chat[] {
    return [...this.#core.rooms.values()].map(({ chat }) => chat);
  }

  /** A person, with a private chat with the bot. */
  addPerson(options: NewPerson): Person {
    return new Person(this.#core, options.id ?? this.#nextPersonId++, options);
  }

  /** A group of these people; the bot gets no update of its creation. */
  addGroup(options: NewGroup): Group {
    const number = this.#nextGroupId++;
    const isSupergroup = options.type === 'supergroup' || options.isForum || options.isDirectMessages;
    return createGroup(this.#core, isSupergroup ? Number(`-100${1_500_000_000 + number}`) : -number, options);
  }

  /** A channel of these people; the bot gets no update of its creation. */
  addChannel(options: NewChannel): Group {
    return createChannel(this.#core, Number(`-100${1_500_000_000 + this.#nextGroupId++}`), options);
  }

  /** The group, or channel, with this id: who is in it, and what its members can do with it. */
  group(id: number): Group | undefined {
    const room = this.#core.rooms.get(id);
    return room instanceof Group ? room : undefined;
  }

  chat(id: number): Chat | undefined {
    return this.#core.rooms.get(id)?.chat;
  }

  /** What a chat holds, in order, both sides. */
  messages(chat: ChatRef): Message[] {
    const room = this.#core.rooms.get(chatId(chat));
    return room ? room.log.all().map((message) => room.log.asShown(message)) : [];
  }

  /** Finds a message; undefined once it is deleted. */
  message({ chat, message_id }: Message): Message | undefined {
    return this.messages(chat).find((message) => message.message_id === message_id);
  }

  /** What in a chat one person and the bot alone see, in order: of this person, or of everybody. */
  ephemerals(chat: ChatRef, person?: Pick<Person, 'id'>): Message[] {
    const all = this.#core.ephemerals.all(chatId(chat));
    const isSeen = ({ from, receiver_user }: Message) => [from?.id, receiver_user?.id].includes(person?.id);
    return person === undefined ? all : all.filter(isSeen);
  }

  /** Whether a text that this person sends is a command that the bot alone is to see. */
  isEphemeralCommand(chat: ChatRef, { user }: Person, text: string): boolean {
    return isEphemeralCommand(this.#core, user, chat, text);
  }

  /** Everyone's reactions to a message, the bot's included. */
  reactions({ chat, message_id }: Message): ReactionType[] {
    return this.#core.rooms.get(chat.id)?.log.reactions(message_id) ?? [];
  }

  /** The chat action shown now in a chat, or in one topic of it. */
  chatAction(chat: ChatRef, threadId?: number): string | undefined {
    return this.#core.chatActions.current(chatId(chat), threadId)?.action;
  }

  /** The bytes of any file, of people or of the bot; throws for an unknown id. */
  fileBytes(fileId: string): Buffer {
    const file = this.#core.files.find(fileId);
    if (!file) throw badRequest('invalid file_id');
    return file.bytes;
  }

  /** Telegram forgets a file: its id is wrong from now on. */
  forgetFile(fileId: string): void {
    this.#core.files.forget(fileId);
  }

  /** Telegram lets the bot edit its message no more ("message can't be edited"); one that a person deletes is "not found". */
  closeToEdits({ chat, message_id }: Message): void {
    this.#core.room(chat.id).log.closeToEdits(message_id);
  }

  /** What the bot registered for this scope, in this language, else for every language. */
  commands(scope: BotCommandScope, languageCode = ''): BotCommand[] {
    return this.#core.profile.resolve([scope], languageCode);
  }

  /** The commands that a person's app offers in a chat. */
  commandsFor(chat: ChatRef, person: Person): BotCommand[] {
    const room = this.#core.room(chatId(chat));
    return this.#core.profile.resolve(commandScopes(room, person.id), languageOf(person));
  }

  /** What the bot says of itself in the empty chat with a person; empty where it registered nothing. */
  descriptionFor(person: Person): string {
    return this.#core.profile.text('description', languageOf(person));
  }

  /** The first message of the chat for which `matches` is true, now or later; the rejection lists what is there. */
  waitForMessage(
    chat: ChatRef,
    matches: (message: Message) => boolean,
    options: WaitOptions = {},
  ): Promise<Message> {
    const { after = 0, timeoutMs = 120_000 } = options;
    const from = typeof after === 'number' ? after : after.message_id;
    const candidates = (): Message[] => this.messages(chat).filter(({ message_id }) => message_id > from);
    return waitUntil(this.events, () => candidates().find(matches), {
      timeoutMs,
      describe: () =>
        `no such message in chat ${chatId(chat)}, which holds:\n${candidates().map(inOneLine).join('\n')}`,
    });
  }

  /** Waits until `condition` returns something; calls it at every event, and ten times a second. Rejects after `timeoutMs` (120 s). */
  waitUntil<T>(condition: () => T | undefined | false, timeoutMs = 120_000): Promise<T> {
    return waitUntil(this.events, condition, {
      timeoutMs,
      describe: () => 'the condition did not come true',
    });
  }
}

/** By the first two letters, as the bot registers its texts. */
function languageOf({ user }: Person): string {
  return user.language_code?.slice(0, 2) ?? '';
}

function inOneLine(message: Message): string {
  const { message_id, from, chat: _, date: __, reply_to_message, ...content } = message;
  const reply = reply_to_message ? ` (reply to ${reply_to_message.message_id})` : '';
  return `${message_id} ${from?.first_name ?? '?'}${reply}: ${JSON.stringify(content).slice(0, 300)}`;
}
