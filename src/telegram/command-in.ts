/** The command that a text begins with, whatever else is marked there: one in bold has its boldness for its first entity. */
import type { Message, MessageEntity } from 'telegraf/types';

/** Whether a message is a command, also one that names another bot. */
export function isCommand(message: Message): boolean {
  return 'entities' in message && commandAmong(message.entities) !== undefined;
}

/** The command at the beginning, among the entities of a text or caption. */
export function commandAmong(entities: readonly MessageEntity[] = []): MessageEntity | undefined {
  return entities.find(({ type, offset }) => type === 'bot_command' && offset === 0);
}
