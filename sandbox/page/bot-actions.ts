/** Using the bot besides writing to it: commands, buttons, inline mode. */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { InlineAnswer } from '../telegram/objects.ts';
import { type Actions, action, onChat, onMessage } from './actions.ts';
import { destination } from './actor.ts';
import type { InlineResults } from './protocol.ts';
import { Refusal } from './refusal.ts';

/** How long a Telegram app waits for the bot's answer to a press or a query, ms. */
const PATIENCE = 30_000;
/** Inline answers that can still be chosen from. */
const ANSWERS_KEPT = 100;

export function createBotActions(): Actions {
  const inlineAnswers = new Map<string, { answer: InlineAnswer; query: string }>();
  return {
    /** The commands that the person's app offers in the chat. */
    commands: action(onChat, (actor, { chatId }) =>
      actor.world.commandsFor(actor.chat(chatId), actor.person),
    ),

    /** Answers when the bot answers: `{ text?, showAlert?, url? }`. */
    press: action({ ...onMessage, data: z.string() }, (actor, { data, ...which }) =>
      answered(actor.person.press(actor.message(which), data, { timeoutMs: PATIENCE })),
    ),

    inlineQuery: action(
      { ...onChat, query: z.string().max(256) },
      async (actor, { chatId, query }): Promise<InlineResults> => {
        const { type } = actor.chat(chatId);
        // The private chats here are all with the bot itself.
        const chatType = type === 'private' ? 'sender' : type;
        const answer = await answered(actor.person.inlineQuery(query, { chatType, timeoutMs: PATIENCE }));
        const queryId = randomUUID();
        inlineAnswers.set(queryId, { answer, query });
        const [oldest] = inlineAnswers.keys();
        if (inlineAnswers.size > ANSWERS_KEPT && oldest !== undefined) inlineAnswers.delete(oldest);
        return { queryId, results: answer.results, ...(answer.button && { button: answer.button }) };
      },
    ),

    chooseInline: action(
      { ...destination, queryId: z.string(), resultId: z.string() },
      (actor, { queryId, resultId, ...to }) => {
        const asked = inlineAnswers.get(queryId);
        if (asked === undefined) throw new Refusal(404, 'These results are too old: type on');
        const { answer, query } = asked;
        const chat = actor.chat(to.chatId);
        return actor.person.chooseInlineResult(chat, answer, resultId, query, actor.placement(to));
      },
    ),
  };
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
