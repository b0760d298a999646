/** Parse mode HTML: a text with tags becomes text and entities, with the real server's errors. */
import type { FormattedText } from './formatted-text.ts';
import { characterReference, closeTag, ENTITY_OF_TAG, parseFault, startTag } from './html-tags.ts';
import { linkEntity } from './link-entity.ts';
import type { MessageEntity } from './objects.ts';

interface OpenTag {
  name: string;
  /** The attribute that counts for this tag: an address, a language, an emoji's id. */
  argument: string;
  /** Where the entity begins in the text read so far. */
  offset: number;
}

/** Throws ApiError "can't parse entities: …", with byte offsets as the real server counts them. */
export function parseHtml(raw: string): FormattedText {
  const open: OpenTag[] = [];
  const entities: MessageEntity[] = [];
  let text = '';
  let at = 0;
  while (at < raw.length) {
    const plain = /[^&<]*/y;
    plain.lastIndex = at;
    const skipped = plain.exec(raw)?.[0] ?? '';
    text += skipped;
    at += skipped.length;
    if (raw[at] === '&') {
      const { character, length } = characterReference(raw, at);
      text += character;
      at += length;
    } else if (raw[at] === '<' && raw[at + 1] === '/') {
      const tag = open.pop();
      at = closeTag(raw, at, tag?.name);
      if (tag && text.length > tag.offset) addEntity(entities, tag, text);
    } else if (raw[at] === '<') {
      const { name, argument, end } = startTag(raw, at);
      open.push({ name, argument, offset: text.length });
      at = end;
    }
  }
  const unclosed = open.at(-1);
  if (unclosed) throw parseFault(`Can't find end tag corresponding to start tag "${unclosed.name}"`);
  return { text, entities: entities.map(withoutStrayLanguage) };
}

function addEntity(entities: MessageEntity[], { name, argument, offset }: OpenTag, text: string): void {
  const type = ENTITY_OF_TAG[name];
  if (type === undefined) return;
  const entity: MessageEntity = { type, offset, length: text.length - offset };
  if (type === 'text_link') entities.push(...linkEntity(entity, argument || text.slice(offset)));
  else if (type === 'code' || type === 'pre') addCode(entities, entity, argument);
  else if (type === 'blockquote' && argument !== '')
    entities.push({ ...entity, type: 'expandable_blockquote' });
  else entities.push(entity);
}

/** `<pre><code class="language-…">`, in either order over the same text, is one block of code in that language. */
function addCode(entities: MessageEntity[], entity: MessageEntity, language: string): void {
  const last = entities.at(-1);
  const same = last?.offset === entity.offset && last.length === entity.length;
  if (same && entity.type === 'pre' && last.type === 'code' && last.language !== undefined) last.type = 'pre';
  else if (same && entity.type === 'code' && last.type === 'pre' && language !== '') last.language = language;
  else entities.push({ ...entity, ...(language !== '' && { language }) });
}

/** Only a block of code keeps its language. */
function withoutStrayLanguage(entity: MessageEntity): MessageEntity {
  const { language: _, ...rest } = entity;
  return entity.type === 'code' ? rest : entity;
}
