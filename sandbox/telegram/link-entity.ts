/** Links over text, as parse modes write them. */
import type { MessageEntity } from './objects.ts';

/** A link over the entity's text; none if the address is invalid. Mentions by user id stay plain text here. */
export function linkEntity(entity: MessageEntity, address: string): MessageEntity[] {
  const withScheme = /^[a-z][a-z0-9+.-]*:/i.test(address) ? address : `http://${address}`;
  const url = URL.parse(withScheme);
  const valid =
    url &&
    (['tg:', 'ton:', 'mailto:'].includes(url.protocol) ||
      (/^https?:$/.test(url.protocol) && url.hostname.includes('.')));
  if (!valid || withScheme.startsWith('tg://user?')) return [];
  return [{ ...entity, type: 'text_link', url: url.href }];
}
