/** What a person does with messages: write, edit, delete. */

import type { FastifyInstance } from 'fastify';
import type { LocalTelegram } from '../telegram/local-telegram.ts';
import { edit, messageAddress, otherToSend, removal, textToSend } from './protocol.ts';
import { Refusal } from './refusal.ts';
import { findMessage, findPerson, findPlace } from './world-lookup.ts';

export function addMessageRoutes(app: FastifyInstance, telegram: LocalTelegram): void {
  app.post('/api/messages', (request) => {
    const { text, ...ids } = textToSend.parse(request.body);
    const { person, chat, replyTo } = findPlace(telegram, ids);
    return person.send(chat, { text, ...(replyTo && { replyTo }) });
  });

  app.post('/api/others', (request) => {
    const { kind, ...ids } = otherToSend.parse(request.body);
    const { person, chat } = findPlace(telegram, ids);
    return person.sendOther(chat, kind);
  });

  app.patch('/api/chats/:chatId/messages/:messageId', (request) => {
    const { chatId, messageId } = messageAddress.parse(request.params);
    const { personId, text } = edit.parse(request.body);
    const person = findPerson(telegram, personId);
    const message = findMessage(telegram, chatId, messageId);
    return message.text === undefined ? person.editCaption(message, text) : person.editText(message, text);
  });

  app.delete('/api/chats/:chatId/messages/:messageId', (request, reply) => {
    const { chatId, messageId } = messageAddress.parse(request.params);
    const { person, chat } = findPlace(telegram, { chatId, personId: removal.parse(request.body).personId });
    const message = findMessage(telegram, chatId, messageId);
    // Telegram lets both sides of a private chat delete anything; in a group, here, only one's own.
    if (chat.type !== 'private' && message.from?.id !== person.id)
      throw new Refusal(403, 'This is the message of another person');
    person.deleteMessage(message);
    return reply.code(204).send();
  });
}
