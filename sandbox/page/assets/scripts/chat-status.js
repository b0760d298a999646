/** The line under a chat's name: what it is and who is in it. */

/** In words, for the open chat. */
export function chatStatus(state) {
  const chat = state.chat();
  if (chat.type === 'private') return chat.blocksBot ? 'you blocked the bot' : `bot · @${state.bot.username}`;
  const kind = chat.is_forum ? 'forum' : chat.type;
  return `${kind} · ${memberCount(chat)}`;
}

/** "3 members", with the bot if it is one. */
export function memberCount(chat) {
  const count = chat.members.length;
  return count === 1 ? '1 member' : `${count} members`;
}
