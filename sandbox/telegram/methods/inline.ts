/** Answering inline queries, and guest queries. */
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { badRequest } from '../api-error.ts';
import type { Core } from '../core.ts';
import { captionParameters, messageCaption, messageText, textParameters } from '../formatting.ts';
import { readReplyMarkup, replyMarkupParameter } from '../keyboard.ts';
import { mediaContent } from '../media-content.ts';
import { type Methods, method } from '../method.ts';
import type { InlineResult } from '../objects.ts';
import { flag, integer, json, text } from '../parameters.ts';
import { replyFields } from '../reply-fields.ts';

/** A fault within one result, as the real server words it. */
function resultFault(what: string): string {
  return `can't parse inline query result: ${what}`;
}

const named = {
  id: z.string({ error: resultFault('Can\'t find field "id"') }),
  title: z.string({ error: resultFault('Can\'t find field "title"') }),
  reply_markup: replyMarkupParameter.optional(),
};
/** Neither `type` nor object. */
const ofNoKind = ({ input }: { input?: unknown }): string =>
  typeof input === 'object' && input !== null
    ? resultFault('type is unsupported for the inline query result')
    : resultFault('expected an Object');

const article = z.looseObject(
  {
    ...named,
    type: z.literal('article', { error: ofNoKind }),
    input_message_content: z.looseObject(
      {
        message_text: z.string({ error: resultFault('Can\'t find field "message_text"') }),
        parse_mode: text.optional(),
        entities: textParameters.entities,
      },
      { error: resultFault('Can\'t find field "input_message_content"') },
    ),
  },
  { error: resultFault('expected an Object') },
);
const voice = z.looseObject({
  ...named,
  ...captionParameters,
  type: z.literal('voice'),
  voice_file_id: z.string({ error: resultFault('Can\'t find field "voice_file_id"') }),
});
/** Texts, and voice notes that Telegram has, are served here: they are what this kind of bot sends. */
const result = z.discriminatedUnion('type', [article, voice], { error: ofNoKind });

const RESULTS_MAX = 50;
const ID_BYTES = 64;
const OFFSET_BYTES = 64;

const answerInlineQuery = method(
  {
    inline_query_id: text.default(''),
    results: json(
      z.array(result, { error: 'expected an Array of inline query results' }),
      "can't parse inline query results JSON object",
    ),
    cache_time: integer('invalid cache_time specified').default(300),
    is_personal: flag.default(false),
    next_offset: text.default(''),
    button: json(
      z.looseObject({ text: z.string() }),
      "can't parse inline query results button JSON object",
    ).optional(),
  },
  async ({ core }, { inline_query_id, results, cache_time, is_personal, next_offset, button }) => {
    if (results.length > RESULTS_MAX) throw badRequest('RESULTS_TOO_MUCH');
    if (new Set(results.map(({ id }) => id)).size < results.length) throw badRequest('RESULT_ID_DUPLICATE');
    if (Buffer.byteLength(next_offset) > OFFSET_BYTES) throw badRequest('NEXT_OFFSET_INVALID');
    const offered = await Promise.all(
      results.map((one) => (one.type === 'voice' ? readVoice(core, one) : readArticle(one))),
    );
    core.inlineQueries.find(inline_query_id)({
      results: offered,
      cacheTime: cache_time,
      isPersonal: is_personal,
      ...(button && { button }),
    });
    return true;
  },
);

function checkId(id: string): void {
  if (id === '') throw badRequest('RESULT_ID_EMPTY');
  if (Buffer.byteLength(id) > ID_BYTES) throw badRequest('RESULT_ID_INVALID');
}

async function readVoice(
  { files }: Core,
  { type, id, title, voice_file_id, reply_markup, ...caption }: z.output<typeof voice>,
): Promise<InlineResult> {
  checkId(id);
  const { voice: note } = await mediaContent(files, {}, 'voice', voice_file_id);
  if (note === undefined) throw badRequest('VOICE_INVALID');
  const markup = readReplyMarkup(reply_markup);
  return {
    type,
    id,
    title,
    voice_file_id,
    ...messageCaption(caption),
    ...(markup && { reply_markup: markup }),
  };
}

function readArticle({
  id,
  reply_markup,
  input_message_content: content,
  ...rest
}: z.output<typeof article>) {
  checkId(id);
  const { text = '', entities } = messageText({ ...content, text: content.message_text });
  const markup = readReplyMarkup(reply_markup);
  return {
    ...rest,
    id,
    input_message_content: { message_text: text, ...(entities && { entities }) },
    ...(markup && { reply_markup: markup }),
  };
}

/** The message that answers stands under the one that asks, in its chat, though the bot is not there. */
const answerGuestQuery = method(
  {
    guest_query_id: text.default(''),
    result: json(article, "can't parse inline query result JSON object"),
  },
  ({ core }, { guest_query_id, result }) => {
    const { input_message_content: content, reply_markup } = readArticle(result);
    const { room, message } = core.guestQueries.find(guest_query_id);
    core.guestQueries.close(guest_query_id);
    const { message_id } = core.post(room, {
      from: core.me,
      ...(message.from && { guest_bot_caller_user: message.from }),
      ...replyFields(room, { replyTo: message }),
      text: content.message_text,
      ...(content.entities && { entities: content.entities }),
      ...(reply_markup && { reply_markup }),
    });
    const inline_message_id = randomBytes(18).toString('base64url');
    core.inlineMessages.set(inline_message_id, { chatId: room.chat.id, messageId: message_id });
    return { inline_message_id };
  },
);

export const inlineMethods: Methods = { answerInlineQuery, answerGuestQuery };
