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
  ['checklist', 'Checklist'],
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

/** The words of a poll, a checklist or a rich message, a line each; nothing for any other message. */
export function composedText({ poll, checklist, rich_message: rich }) {
  if (poll !== undefined) return [poll.question, ...poll.options.map(({ text }) => `◯ ${text}`)].join('\n');
  if (checklist !== undefined)
    return [checklist.title, ...checklist.tasks.map(({ text }) => `☐ ${text}`)].join('\n');
  return rich?.blocks.flatMap(richLines).join('\n');
}

/** Blocks and styled texts hold one another in these fields. */
function richLines({ text, label, items = [], blocks = [], cells = [], summary, caption }) {
  const inner = [...items, ...blocks, ...cells.flat()].flatMap(richLines);
  const lines = [summary, text, caption].filter((line) => line !== undefined).map(flat);
  const [first, ...more] = [...lines, ...inner];
  return first === undefined ? [] : [label === undefined ? first : `${label} ${first}`, ...more];
}

function flat(rich) {
  if (typeof rich === 'string') return rich;
  return Array.isArray(rich) ? rich.map(flat).join('') : flat(rich.text ?? rich.alternative_text ?? '');
}

/** A message in short, for quotes and the chat list. */
export function inShort(message) {
  const text = (message.text ?? message.caption ?? composedText(message) ?? '')
    .replaceAll(/\s+/gu, ' ')
    .trim();
  const kind = kindWord(message);
  if (kind === undefined) return text || serviceWords(message) || 'Message';
  return text === '' ? kind : `${kind} · ${text}`;
}

const nameList = (users) => users.map((user) => user.first_name).join(', ');

/** The sentence for a service message ("Anna joined"), or nothing for any other message. */
export function serviceWords(message) {
  const who = message.from?.first_name ?? 'Someone';
  const added = message.new_chat_members;
  if (added !== undefined)
    return added[0]?.id === message.from?.id ? `${who} joined` : `${who} added ${nameList(added)}`;
  const gone = message.left_chat_member;
  if (gone !== undefined)
    return gone.id === message.from?.id ? `${who} left` : `${who} removed ${gone.first_name}`;
  if (message.new_chat_title !== undefined) return `${who} named the group “${message.new_chat_title}”`;
  if (message.pinned_message !== undefined) return `${who} pinned a message`;
  if (message.group_chat_created || message.supergroup_chat_created) return `${who} created the group`;
  if (message.migrate_to_chat_id !== undefined) return 'The group became a supergroup';
  if (message.migrate_from_chat_id !== undefined) return 'This supergroup was a group before';
  if (message.forum_topic_created !== undefined)
    return `${who} opened the topic “${message.forum_topic_created.name}”`;
  if (message.forum_topic_closed !== undefined) return `${who} closed the topic`;
  if (message.forum_topic_reopened !== undefined) return `${who} opened the topic again`;
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

/** The time of a message, in 24 hours: short, and the same for everyone. */
export function timeOf(message) {
  return new Date(message.date * 1000).toLocaleTimeString([], {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
}
