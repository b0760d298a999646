/** The entities that Telegram itself finds in a text: commands, mentions, hashtags, links, e-mail addresses. */
import { sorted } from './formatted-text.ts';
import type { MessageEntity } from './objects.ts';

/** In order of precedence where two would overlap. */
const PATTERNS: ReadonlyArray<{ type: MessageEntity['type']; pattern: RegExp }> = [
  { type: 'url', pattern: /\bhttps?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]}'»”]/giu },
  { type: 'email', pattern: /(?<![\w.%+-])[\w.%+-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}\b/giu },
  {
    type: 'url',
    pattern:
      /(?<![\w@/.-])(?:[a-z0-9-]+\.)+(?:com|org|net|io|me|cn|edu|gov|info)(?:\/[^\s<>"]*[^\s<>".,;:!?)])?(?![\w-])/giu,
  },
  {
    type: 'bot_command',
    pattern: /(?<![\p{L}\p{N}_/<>.@])\/[a-z0-9_]{1,64}(?:@\w{3,32})?(?![\p{L}\p{N}_/])/giu,
  },
  { type: 'mention', pattern: /(?<![\p{L}\p{N}_/.@])@[a-z]\w{2,31}(?![\p{L}\p{N}_])/giu },
  {
    type: 'hashtag',
    pattern: /(?<![\p{L}\p{N}_/&#])#(?=[\p{L}\p{M}\p{N}_]*[\p{L}_])[\p{L}\p{M}\p{N}_]{1,256}/gu,
  },
];

/** The entities of `text` beside those given, which come first: nothing is found inside `given`; in order of offset. */
export function withDetectedEntities(text: string, given: readonly MessageEntity[] = []): MessageEntity[] {
  const taken = [...given];
  for (const { type, pattern } of PATTERNS)
    for (const match of text.matchAll(pattern)) {
      const entity = { type, offset: match.index, length: match[0].length };
      if (!taken.some((other) => blocks(other, entity))) taken.push(entity);
    }
  return sorted(taken);
}

/** Styles may hold a found entity; code, links and other found ones may not touch it. */
const STYLES = new Set(['bold', 'italic', 'underline', 'strikethrough', 'spoiler', 'blockquote']);

function blocks(other: MessageEntity, entity: MessageEntity): boolean {
  const overlap = other.offset < entity.offset + entity.length && entity.offset < other.offset + other.length;
  return overlap && !STYLES.has(other.type);
}
