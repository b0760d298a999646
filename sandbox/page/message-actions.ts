/** Writing, editing, forwarding, deleting, reacting. */
import { z } from 'zod';
import { type Actions, action, onMessage } from './actions.ts';
import { destination, id } from './actor.ts';
import { pageMessage } from './page-chat.ts';
import { Refusal } from './refusal.ts';
import { SAMPLE_POSTS } from './sample-posts.ts';

export const messageActions: Actions = {
  /** Answers with the messages that the text became. */
  sendText: action({ ...destination, text: z.string() }, (actor, { text, ...to }) => {
    const { person, world } = actor;
    const chat = actor.chat(to.chatId);
    if (to.replyTo === undefined && world.isEphemeralCommand(chat, person, text))
      return [pageMessage(person.sendEphemeral(chat, text, to.threadId))];
    return person.sendLong(chat, { text, ...actor.placement(to) });
  }),

  /** A sticker, a contact, a location, or one of the sample posts. */
  sendOther: action(
    { ...destination, kind: z.enum(['sticker', 'contact', 'location', 'poll', 'checklist', 'rich']) },
    (actor, { kind, ...to }) => {
      const chat = actor.chat(to.chatId);
      return kind === 'poll' || kind === 'checklist' || kind === 'rich'
        ? actor.person.compose(chat, SAMPLE_POSTS[kind], actor.placement(to))
        : actor.person.sendOther(chat, kind, actor.placement(to));
    },
  ),

  /** Changes the text or caption of one's own message. */
  edit: action({ ...onMessage, text: z.string() }, (actor, { text, ...which }) => {
    const message = actor.message(which);
    const { person } = actor;
    return message.text === undefined ? person.editCaption(message, text) : person.editText(message, text);
  }),

  remove: action(onMessage, (actor, which) => {
    const message = actor.message(which);
    const { person, world } = actor;
    // Telegram lets both sides of a private chat delete anything; in a group, people their own messages, and admins all.
    const isAdmin = world.group(which.chatId)?.isAdmin(person) ?? false;
    if (message.chat.type !== 'private' && message.from?.id !== person.id && !isAdmin)
      throw new Refusal(403, 'This is the message of another person');
    person.deleteMessage(message);
  }),

  /** Forwards a message into another chat, an album as a whole; answers with the new messages. */
  forward: action(
    { ...onMessage, toChatId: id, threadId: id.optional() },
    (actor, { toChatId, threadId, ...which }) => {
      const placement = actor.placement({ chatId: toChatId, threadId });
      return actor.person.forwardWhole(actor.message(which), actor.chat(toChatId), placement);
    },
  ),

  /** Without an emoji it removes the reaction. */
  react: action({ ...onMessage, emoji: z.string().optional() }, (actor, { emoji, ...which }) =>
    actor.person.react(actor.message(which), emoji === undefined ? [] : [emoji]),
  ),
};
