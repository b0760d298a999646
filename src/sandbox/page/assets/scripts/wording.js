/** One line of words for what is no plain text: chat actions, service messages, and messages in short. */

const ACTIONS = {
  typing: 'is typing',
  record_voice: 'is recording voice',
  upload_voice: 'is sending a voice note',
  upload_photo: 'is sending a photo',
  upload_document: 'is sending a file',
  upload_video: 'is sending a video',
  record_video: 'is recording video',
  choose_sticker: 'is choosing a sticker',
  find_location: 'is choosing a place',
};

const KINDS = [
  ['photo', 'Photo'],
  ['voice', 'Voice note'],
  ['audio', 'Audio'],
  ['animation', 'Animation'],
  ['document', 'File'],
  ['sticker', 'Sticker'],
  ['video', 'Video'],
  ['video_note', 'Video message'],
  ['contact', 'Contact'],
  ['location', 'Location'],
  ['poll', 'Poll'],
  ['dice', 'Dice'],
];

/** What the bot does just now, without its name: "is typing". */
export function actionWords(action) {
  return ACTIONS[action] ?? 'is busy';
}

/** The kind of a message's attachment in one word, or nothing for text. */
export function kindWord(message) {
  return KINDS.find(([field]) => message[field] !== undefined)?.[1];
}

/** A message in short, for quotes and the chat list. */
export function inShort(message) {
  const text = (message.text ?? message.caption ?? '').replaceAll(/\s+/gu, ' ').trim();
  const kind = kindWord(message);
  if (kind === undefined) return text || serviceWords(message) || 'Message';
  return text === '' ? kind : `${kind} · ${text}`;
}

const nameList = (users) => users.map((user) => user.first_name).join(', ');

/** The sentence for a service message ("Anna joined"), or nothing for any other message. */
export function serviceWords(message) {
  const who = message.from?.first_name ?? 'Someone';
  if (message.new_chat_members !== undefined) return `${nameList(message.new_chat_members)} joined`;
  if (message.left_chat_member !== undefined) return `${message.left_chat_member.first_name} left`;
  if (message.new_chat_title !== undefined) return `${who} named the group “${message.new_chat_title}”`;
  if (message.pinned_message !== undefined) return `${who} pinned a message`;
  if (message.group_chat_created || message.supergroup_chat_created) return `${who} created the group`;
  if (message.migrate_to_chat_id !== undefined) return 'The group became a supergroup';
  if (message.migrate_from_chat_id !== undefined) return 'This supergroup was a group before';
  if (message.forum_topic_created !== undefined)
    return `${who} opened the topic “${message.forum_topic_created.name}”`;
  if (message.forum_topic_closed !== undefined) return `${who} closed the topic`;
  return undefined;
}

/** `m:ss` for a length in seconds. */
export function clock(seconds) {
  const whole = Math.max(0, Math.round(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

/** A file size in the largest unit that keeps it above one. */
export function fileSize(bytes) {
  if (bytes === undefined) return '';
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 * 1024) return `${Math.round(bytes / 1024)} KB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
