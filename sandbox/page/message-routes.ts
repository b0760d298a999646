/** Routes of messages: writing, editing, forwarding, deleting, reacting. */
import type { FastifyInstance } from 'fastify';
import type { LocalTelegram } from '../telegram/local-telegram.ts';
import { pageMessage } from './page-chat.ts';
import { edit, forward, messageAddress, otherToSend, reaction, removal, textToSend } from './protocol.ts';
import { Refusal } from './refusal.ts';
import { SAMPLE_POSTS } from './sample-posts.ts';
import { findMessage, findPerson, findPlace, within } from './world-lookup.ts';

/** Adds the routes of texts, and of existing messages. */
export function addMessageRoutes(app: FastifyInstance, telegram: LocalTelegram): void {
  app.post('/api/messages', (request) => {
    const { text, ...ids } = textToSend.parse(request.body);
    const place = findPlace(telegram, ids);
    const { person, chat, replyTo } = place;
    if (replyTo === undefined && telegram.world.isEphemeralCommand(chat, person, text))
      return [pageMessage(person.sendEphemeral(chat, text, place.threadId))];
    return place.person.sendLong(place.chat, { text, ...within(place) });
  });

  app.post('/api/others', (request) => {
    const { kind, ...ids } = otherToSend.parse(request.body);
    const place = findPlace(telegram, ids);
    const { person, chat } = place;
    return kind === 'poll' || kind === 'checklist' || kind === 'rich'
      ? person.compose(chat, SAMPLE_POSTS[kind], within(place))
      : person.sendOther(chat, kind, within(place));
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
    // Telegram lets both sides of a private chat delete anything; in a group, people their own messages, and admins all.
    const isAdmin = telegram.world.group(chatId)?.isAdmin(person) ?? false;
    if (chat.type !== 'private' && message.from?.id !== person.id && !isAdmin)
      throw new Refusal(403, 'This is the message of another person');
    person.deleteMessage(message);
    return reply.code(204).send();
  });

  app.post('/api/chats/:chatId/messages/:messageId/forwards', (request) => {
    const { chatId, messageId } = messageAddress.parse(request.params);
    const { personId, toChatId, threadId } = forward.parse(request.body);
    findPlace(telegram, { personId, chatId });
    const place = findPlace(telegram, { personId, chatId: toChatId, threadId });
    return place.person.forwardWhole(findMessage(telegram, chatId, messageId), place.chat, within(place));
  });

  app.put('/api/chats/:chatId/messages/:messageId/reaction', (request, reply) => {
    const { chatId, messageId } = messageAddress.parse(request.params);
    const { personId, emoji } = reaction.parse(request.body);
    const { person } = findPlace(telegram, { personId, chatId });
    person.react(findMessage(telegram, chatId, messageId), emoji === undefined ? [] : [emoji]);
    return reply.code(204).send();
  });
}
