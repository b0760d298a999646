/** Keeps the state abreast of the server by Server-Sent Events; each connection begins with the whole world. */

/** Connects `state`; `onConnection` is told `true` or `false` as the connection comes and goes. */
export function follow(state, onConnection) {
  const source = new EventSource('api/events');
  source.addEventListener('open', () => onConnection(true));
  source.addEventListener('error', () => onConnection(false));
  source.addEventListener('message', ({ data }) => apply(state, JSON.parse(data)));
}

function apply(state, event) {
  switch (event.type) {
    case 'snapshot':
      return state.load(event.snapshot);
    case 'message':
      return state.add(event.chatId, event.message);
    case 'edited':
      return state.replace(event.chatId, event.message);
    case 'deleted':
      return state.remove(event.chatId, event.messageId);
    case 'action':
      return state.act(event.chatId, event.threadId, event.action);
    case 'chat':
      return state.setChat(event.chat);
    case 'reactions':
      return state.setReactions(event.chatId, event.messageId, event.emoji);
    case 'commands':
      return state.commandsChanged();
    case 'paid':
      return state.setPaid(event.paid);
    case 'faults':
      return state.setFaults(event.faults);
  }
}
