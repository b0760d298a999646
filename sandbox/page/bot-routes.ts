/** Routes of a person's use of the bot besides messages: commands, buttons, inline mode. */
import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { InlineAnswer } from '../telegram/inline-answer.ts';
import type { LocalTelegram } from '../telegram/local-telegram.ts';
import {
  commandsQuery,
  draftStop,
  type InlineResults,
  inlineChoice,
  inlineQuestion,
  messageAddress,
  press,
} from './protocol.ts';
import { Refusal } from './refusal.ts';
import { findMessage, findPerson, findPlace, within } from './world-lookup.ts';

/** How long a Telegram app waits for the bot's answer to a press or a query, ms. */
const PATIENCE = 30_000;
/** Inline answers that can still be chosen from. */
const ANSWERS_KEPT = 100;

/** Adds the routes of commands, presses and inline queries. */
export function addBotRoutes(app: FastifyInstance, telegram: LocalTelegram): void {
  const inlineAnswers = new Map<string, { answer: InlineAnswer; query: string }>();

  app.get('/api/commands', (request) => {
    const { person, chat } = findPlace(telegram, commandsQuery.parse(request.query));
    return telegram.world.commandsFor(chat, person);
  });

  app.post('/api/chats/:chatId/messages/:messageId/presses', (request) => {
    const { chatId, messageId } = messageAddress.parse(request.params);
    const { personId, data } = press.parse(request.body);
    const { person } = findPlace(telegram, { personId, chatId });
    return answered(person.press(findMessage(telegram, chatId, messageId), data, { timeoutMs: PATIENCE }));
  });

  app.post('/api/draft-stops', (request, reply) => {
    findPerson(telegram, draftStop.parse(request.body).personId).stopDraft();
    return reply.code(204).send();
  });

  app.post('/api/inline-queries', async (request): Promise<InlineResults> => {
    const { query, ...ids } = inlineQuestion.parse(request.body);
    const { person, chat } = findPlace(telegram, ids);
    // The private chats here are all with the bot itself.
    const chatType = chat.type === 'private' ? 'sender' : chat.type;
    const answer = await answered(person.inlineQuery(query, { chatType, timeoutMs: PATIENCE }));
    const queryId = randomUUID();
    inlineAnswers.set(queryId, { answer, query });
    const [oldest] = inlineAnswers.keys();
    if (inlineAnswers.size > ANSWERS_KEPT && oldest !== undefined) inlineAnswers.delete(oldest);
    return { queryId, results: answer.results, ...(answer.button && { button: answer.button }) };
  });

  app.post('/api/inline-choices', (request) => {
    const { queryId, resultId, ...ids } = inlineChoice.parse(request.body);
    const place = findPlace(telegram, ids);
    const asked = inlineAnswers.get(queryId);
    if (asked === undefined) throw new Refusal(404, 'These results are too old: type on');
    return place.person.chooseInlineResult(place.chat, asked.answer, resultId, asked.query, within(place));
  });
}

/** The bot's answer; throws Refusal 504 when none came in time. */
async function answered<Answer>(asked: Promise<Answer>): Promise<Answer> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof RangeError) throw error;
    throw new Refusal(504, 'The bot did not answer', error);
  }
}
