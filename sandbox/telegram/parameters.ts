/** Reads parameters as the Bot API does: forms send text, JSON may send numbers, and both may send JSON as text. */
import { z } from 'zod';
import { badRequest } from './api-error.ts';

/** An integer, also written as text; `fault` is Telegram's description when it is neither. */
export function integer(fault: string) {
  return z.union([z.int(), z.stringFormat('integer', /^\s*-?\d+\s*$/).transform(Number)], { error: fault });
}

const TRUE_WORDS = new Set(['true', 'yes', '1']);

/** As in Telegram, anything but a word for yes is false. */
export const flag = z.union([z.boolean(), z.string(), z.number()]).transform((value) => {
  return TRUE_WORDS.has(String(value).toLowerCase());
});

/** Text; a number is taken as its digits. */
export const text = z.union([z.string(), z.number().transform(String)]);

/** A chat's id or its @username. */
export const chatIdOrName = z.union(
  [
    z.int(),
    z
      .string()
      .min(1)
      .transform((value) => (/^-?\d+$/.test(value) ? Number(value) : value)),
  ],
  { error: 'chat_id is empty' },
);

/** A value sent as it is or as JSON text; `fault` is Telegram's description of text that is no JSON. */
export function json<T extends z.ZodType>(schema: T, fault: string) {
  return z
    .unknown()
    .transform((value, context) => {
      if (typeof value !== 'string') return value;
      try {
        const parsed: unknown = JSON.parse(value);
        return parsed;
      } catch {
        context.issues.push({ code: 'custom', message: fault, input: value });
        return z.NEVER;
      }
    })
    .pipe(schema);
}

/** As `json`, where Telegram ignores what is no list instead of refusing it. */
export function optionalJson<T extends z.ZodArray>(schema: T) {
  return z
    .unknown()
    .transform((value) => {
      if (typeof value !== 'string') return Array.isArray(value) ? value : [];
      try {
        const parsed: unknown = JSON.parse(value);
        return Array.isArray(parsed) ? parsed : [];
      } catch {
        return [];
      }
    })
    .pipe(schema);
}

/** A call's parameters, of which `Shape` says how some are read. */
export type Read<Shape extends z.ZodRawShape> = z.output<ReturnType<typeof z.looseObject<Shape>>>;

/** Reads the parameters of a call; throws ApiError with the first fault. Unknown parameters are refused before (known-parameters.ts). */
export function readParameters<T extends z.ZodType>(schema: T, fields: unknown): z.output<T> {
  const result = schema.safeParse(fields);
  if (result.success) return result.data;
  throw badRequest(result.error.issues[0]?.message ?? 'invalid parameters');
}
