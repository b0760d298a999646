/** Turns what happens in the local Telegram and the local service into events for the page. */

import type { ChatActionEvent, WorldEventMap } from '../telegram/events.ts';
import type { Chat, Message } from '../telegram/objects.ts';
import { emojiOf, pageChat, pageMessage } from './page-chat.ts';
import type { PageEvent } from './protocol.ts';
import { type Shown, takeSnapshot } from './snapshot.ts';

/** Calls `tell` with every change from now on; returns the function that ends that. */
export function watchWorld(shown: Shown, tell: (event: PageEvent) => void): () => void {
  const { telegram, service, switches } = shown;
  const { world } = telegram;
  const known = new Set(world.chats.map(({ id }) => id));

  /** A new chat (an upgraded group) changes too much to be sent in pieces. */
  const isNew = (chat: Chat): boolean => {
    if (known.has(chat.id)) return false;
    known.add(chat.id);
    tell({ type: 'snapshot', snapshot: takeSnapshot(shown) });
    return true;
  };
  const stops: Array<() => void> = [];
  function hear<Name extends keyof WorldEventMap>(
    name: Name,
    listener: (...event: WorldEventMap[Name]) => void,
  ) {
    world.events.on<keyof WorldEventMap>(name, listener);
    stops.push(() => world.events.off<keyof WorldEventMap>(name, listener));
  }

  /** Hides the author of a channel's post. */
  const asShown = (message: Message): Message => world.message(message) ?? message;

  hear('message', (message) => {
    if (!isNew(message.chat)) tell({ type: 'message', chatId: message.chat.id, message: asShown(message) });
  });
  hear('edited', (message) => tell({ type: 'edited', chatId: message.chat.id, message: asShown(message) }));
  hear('deleted', ({ chat, message_id }) =>
    tell({ type: 'deleted', chatId: chat.id, messageId: message_id }),
  );
  hear('ephemeral', ({ message, change }) => {
    const shown = pageMessage(message);
    const chatId = message.chat.id;
    if (change === 'deleted') tell({ type: change, chatId, messageId: shown.message_id });
    else tell({ type: change, chatId, message: shown });
  });
  const tellAction = ({ chat, threadId }: ChatActionEvent, action: string | null): void =>
    tell({ type: 'action', chatId: chat.id, ...(threadId !== undefined && { threadId }), action });
  hear('chatAction', (event) => tellAction(event, event.action));
  hear('chatActionEnded', (event) => tellAction(event, null));
  hear('chat', (chat) => {
    if (!isNew(chat)) tell({ type: 'chat', chat: pageChat(chat, telegram) });
  });
  hear('reaction', ({ chat, messageId }) => {
    const message = world.messages(chat).find(({ message_id }) => message_id === messageId);
    if (message) tell({ type: 'reactions', chatId: chat.id, messageId, emoji: emojiOf(world, message) });
  });
  hear('commands', () => tell({ type: 'commands' }));

  const tellPaid = whenDifferent(service.paid(), (paid) => tell({ type: 'paid', paid }));
  const tellFaults = whenDifferent(switches.read(), (faults) => tell({ type: 'faults', faults }));
  stops.push(
    service.onChange(() => {
      tellPaid(service.paid());
      tellFaults(switches.read());
    }),
  );
  return () => {
    for (const stop of stops) stop();
  };
}

/** The service reports every step of every request; the page needs only what differs from before. */
function whenDifferent<Value>(first: Value, tell: (value: Value) => void): (value: Value) => void {
  let last = JSON.stringify(first);
  return (value) => {
    const now = JSON.stringify(value);
    if (now === last) return;
    last = now;
    tell(value);
  };
}
