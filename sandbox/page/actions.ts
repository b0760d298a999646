/** What a person does at the page: each action by its name, with the JSON that it needs. */
import { z } from 'zod';
import type { LocalTelegram } from '../telegram/local-telegram.ts';
import { Actor, id } from './actor.ts';

/** Carries out the request's JSON; what it returns is the answer. */
export type Action = (telegram: LocalTelegram, request: unknown) => unknown;

/** Actions by the name under `POST /api/`. */
export type Actions = Readonly<Record<string, Action>>;

export const onChat = { chatId: id };
export const onMessage = { chatId: id, messageId: id };

/** An action of the person `personId`, with the other fields that it needs. */
export function action<Shape extends z.ZodRawShape>(
  shape: Shape,
  act: (actor: Actor, given: z.output<z.ZodObject<Shape>>) => unknown,
): Action {
  const whose = z.object({ personId: id });
  const schema = z.object(shape);
  return (telegram, request) =>
    act(new Actor(telegram, whose.parse(request).personId), schema.parse(request));
}
