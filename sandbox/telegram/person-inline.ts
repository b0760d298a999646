/** A person uses the bot's inline mode: asks, and sends one of the results. */
import { randomBytes } from 'node:crypto';
import type { Core } from './core.ts';
import type { InlineAnswer, InlineResult, Message, User } from './objects.ts';
import { type ChatRef, PersonMessages, type Placement } from './person-messages.ts';

export interface InlineOptions {
  /** Where the person types. */
  chatType?: 'sender' | 'private' | 'group' | 'supergroup' | 'channel';
  timeoutMs?: number;
}

/** Sends the inline query to the bot; rejects when no answer comes in `timeoutMs` (30 s). */
export function askInline(
  core: Core,
  from: User,
  query: string,
  { chatType = 'sender', timeoutMs = 30_000 }: InlineOptions,
): Promise<InlineAnswer> {
  if (query.length > 256) return Promise.reject(new RangeError('a client cuts inline queries at 256'));
  const { promise, resolve, reject } = Promise.withResolvers<InlineAnswer>();
  const id = core.inlineQueries.ask(resolve);
  core.updates.push('inline_query', { id, from, query, offset: '', chat_type: chatType }, from.id);
  const timer = setTimeout(() => reject(new Error('the bot did not answer the inline query')), timeoutMs);
  return promise.finally(() => clearTimeout(timer));
}

interface Choice {
  core: Core;
  user: User;
  chat: ChatRef;
  answer: InlineAnswer;
  resultId: string;
  query: string;
  place: Placement;
}

/** Posts the result as the person's message via the bot, which gets the update; throws RangeError for an unknown result. */
export function sendInlineResult({ core, user, chat, answer, resultId, query, place }: Choice): Message {
  const result = answer.results.find(({ id }) => id === resultId);
  if (!result) throw new RangeError('the answer has no such result');
  const message = new PersonMessages(core, user).viaBot(chat, place, {
    ...contentOf(core, result),
    ...(result.reply_markup && { reply_markup: result.reply_markup }),
  });
  const inlineId = result.reply_markup && randomBytes(18).toString('base64url');
  if (inlineId) core.inlineMessages.set(inlineId, { chatId: message.chat.id, messageId: message.message_id });
  const chosen = { result_id: resultId, from: user, query, ...(inlineId && { inline_message_id: inlineId }) };
  core.updates.push('chosen_inline_result', chosen, user.id);
  return message;
}

function contentOf(
  core: Core,
  { title, input_message_content: content, voice_file_id: voice, caption, caption_entities }: InlineResult,
): Partial<Message> {
  if (voice !== undefined)
    return {
      ...core.files.find(voice)?.content,
      ...(caption !== undefined && { caption }),
      ...(caption_entities && { caption_entities }),
    };
  const { message_text = title, entities = [] } = content ?? {};
  return {
    ...(message_text !== undefined && { text: message_text }),
    ...(entities.length > 0 && { entities }),
  };
}
