/** Changes of a forum's topics, with Telegram's service messages about them. */
import type { Core } from './core.ts';
import type { GroupRoom } from './group-room.ts';
import type { User } from './objects.ts';
import { replyFields } from './reply-fields.ts';
import type { Topics } from './topics.ts';

/** One of Telegram's six colours for topics. */
const ICON_COLOUR = 7_322_096;

/** Opens a topic and returns its id, which is that of its first message. Throws RangeError outside of a forum. */
export function createTopic(core: Core, room: GroupRoom, name: string, by: User): number {
  const topics = topicsOf(room);
  const root = core.post(room, (messageId) => {
    topics.create(messageId, name);
    const forum_topic_created = { name, icon_color: ICON_COLOUR };
    return { from: by, message_thread_id: messageId, is_topic_message: true, forum_topic_created };
  });
  core.events.emit('chat', room.chat);
  return root.message_id;
}

/** Closes a topic, or opens it again; without an id, General. Throws RangeError outside of a forum. */
export function setTopicClosed(
  core: Core,
  room: GroupRoom,
  threadId: number | undefined,
  isClosed: boolean,
  by: User,
): void {
  topicsOf(room).setClosed(threadId, isClosed);
  core.events.emit('chat', room.chat);
  const what = isClosed ? { forum_topic_closed: {} } : { forum_topic_reopened: {} };
  core.post(room, { from: by, ...replyFields(room, { threadId }), ...what });
}

/** Deletes a topic with everything in it. */
export function deleteTopic(core: Core, room: GroupRoom, threadId: number): void {
  topicsOf(room).remove(threadId);
  for (const message of room.log.all())
    if (message.message_thread_id === threadId) core.delete(room, message);
  core.events.emit('chat', room.chat);
}

function topicsOf({ topics }: GroupRoom): Topics {
  if (!topics) throw new RangeError('only a forum has topics');
  return topics;
}
