/** The bot's texts and captions: parse mode or entities, trimmed, within the limits, with what Telegram finds in them. */
import { z } from 'zod';
import { badRequest } from './api-error.ts';
import { withDetectedEntities } from './detect-entities.ts';
import { CAPTION_MAX, checkEntityRanges, type FormattedText, TEXT_MAX, trimmed } from './formatted-text.ts';
import { parseHtml } from './html.ts';
import { parseMarkdownV2 } from './markdown-v2.ts';
import type { Message, MessageEntity } from './objects.ts';
import { integer, optionalJson, type Read, text } from './parameters.ts';

/** Bytes before parsing: the Bot API server takes no longer text. */
const RAW_BYTES_MAX = 32_768;

/** Types that Telegram finds by itself and ignores when a bot names them. */
const FOUND = [
  'mention',
  'hashtag',
  'cashtag',
  'bot_command',
  'url',
  'email',
  'phone_number',
  'bank_card_number',
] as const;
const GIVEN = [
  'bold',
  'italic',
  'underline',
  'strikethrough',
  'spoiler',
  'code',
  'pre',
  'text_link',
  'text_mention',
  'custom_emoji',
  'blockquote',
  'expandable_blockquote',
  'date_time',
] as const satisfies ReadonlyArray<MessageEntity['type']>;

/** Bot API, "Date-time entity formatting". */
type DateTimeFormat = NonNullable<MessageEntity['date_time_format']>;
const DATE_TIME_FORMAT = /^(?:r|w?[dD]?[tT]?)$/;

const entity = z
  .looseObject(
    {
      type: z.enum([...FOUND, ...GIVEN], {
        error: ({ input }) =>
          `can't parse MessageEntity: ${input === undefined ? 'Can\'t find field "type"' : 'Unsupported type specified'}`,
      }),
      offset: integer('can\'t parse MessageEntity: Can\'t find field "offset"'),
      length: integer('can\'t parse MessageEntity: Can\'t find field "length"'),
      url: z.string().optional(),
      language: z.string().optional(),
      custom_emoji_id: z.string().optional(),
      unix_time: z.int().optional(),
      date_time_format: z
        .custom<DateTimeFormat>((format) => typeof format === 'string' && DATE_TIME_FORMAT.test(format), {
          error: "can't parse MessageEntity: invalid date-time format specified",
        })
        .optional(),
    },
    { error: "can't parse MessageEntity: expected an Object" },
  )
  .refine(({ type, unix_time }) => type !== 'date_time' || unix_time !== undefined, {
    error: 'can\'t parse MessageEntity: Can\'t find field "unix_time"',
  });

/** Entities by hand; what is no list is ignored, as the real server does. */
const entities = optionalJson(z.array(entity)).optional();
type GivenEntity = z.output<typeof entity>;

/** Parameters of a text to send. */
export const textParameters = { text: text.default(''), parse_mode: text.optional(), entities };

/** Parameters of a caption to send. */
export const captionParameters = {
  caption: text.default(''),
  parse_mode: text.optional(),
  caption_entities: entities,
};

/** `text` and `entities` of the message; throws ApiError: empty, too long, entities that cannot be parsed. */
export function messageText(parameters: Read<typeof textParameters>): Pick<Message, 'text' | 'entities'> {
  if (parameters.text === '') throw badRequest('message text is empty');
  const { text, entities } = format(parameters.text, parameters.parse_mode, parameters.entities);
  if (text === '') throw badRequest('text must be non-empty');
  if (text.length > TEXT_MAX) throw badRequest('message is too long');
  return { text, ...(entities.length > 0 && { entities }) };
}

/** `caption` and `caption_entities` of the message, if any; throws ApiError as `messageText` does. */
export function messageCaption(
  parameters: Read<typeof captionParameters>,
): Pick<Message, 'caption' | 'caption_entities'> {
  const { text, entities } = format(parameters.caption, parameters.parse_mode, parameters.caption_entities);
  if (text.length > CAPTION_MAX) throw badRequest('message caption is too long');
  if (text === '') return {};
  return { caption: text, ...(entities.length > 0 && { caption_entities: entities }) };
}

function format(raw: string, parseMode: string | undefined, given: GivenEntity[] | undefined): FormattedText {
  if (raw === '') return { text: '', entities: [] };
  if (Buffer.byteLength(raw) > RAW_BYTES_MAX) throw badRequest('text is too long');
  const { text, entities } = trimmed(parse(raw, parseMode?.toLowerCase() ?? '', given));
  return { text, entities: withDetectedEntities(text, entities) };
}

function parse(raw: string, parseMode: string, given: GivenEntity[] | undefined): FormattedText {
  switch (parseMode) {
    case 'html':
      return parseHtml(raw);
    case 'markdownv2':
      return parseMarkdownV2(raw);
    case '':
    case 'none': {
      const formatted = { text: raw, entities: (given ?? []).filter(isStyle) };
      checkEntityRanges(formatted);
      return formatted;
    }
    default:
      throw badRequest('unsupported parse_mode');
  }
}

function isStyle(entity: GivenEntity): entity is GivenEntity & { type: (typeof GIVEN)[number] } {
  const styles: readonly string[] = GIVEN;
  return styles.includes(entity.type);
}
