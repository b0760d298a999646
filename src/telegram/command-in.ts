/** The command that a text begins with, whatever else is marked there: one in bold has its boldness for its first entity. */
import type { Message, MessageEntity } from 'telegraf/types';

/** Whether a message is a command: a handler for commands itself passes over those that name another bot. */
export function isCommand(message: Message): boolean {
  return 'entities' in message && commandAmong(message.entities) !== undefined;
}

/** The command at the beginning, among the entities of a text or caption. */
export function commandAmong(entities: readonly MessageEntity[] = []): MessageEntity | undefined {
  return entities.find(({ type, offset }) => type === 'bot_command' && offset === 0);
}

/** The message with that command for its first entity, the only one that Telegraf looks at. */
export function withCommandFirst<M extends Message>(message: M): M {
  if (!('entities' in message)) return message;
  const command = commandAmong(message.entities);
  if (command === undefined || command === message.entities?.[0]) return message;
  return { ...message, entities: [command, ...(message.entities ?? []).filter((one) => one !== command)] };
}
