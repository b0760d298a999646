/** What a Bot API method is here: its parameters as a zod schema, and what it does with them. */
import type { z } from 'zod';
import type { Core } from './core.ts';
import type { TelegramFaults } from './faults.ts';
import type { FloodGate } from './flood.ts';
import { readParameters } from './parameters.ts';
import type { Fields } from './request-body.ts';
import type { WebhookDelivery } from './webhook.ts';

export interface CallContext {
  readonly core: Core;
  readonly faults: TelegramFaults;
  readonly flood: FloodGate;
  readonly webhook: WebhookDelivery;
  /** Aborted when the caller's connection is gone. */
  readonly signal: AbortSignal;
  /** Tells the record of calls the parameters as understood. */
  readonly understood: (fields: Fields) => void;
}

/** Gives the call's `result`, or throws ApiError. */
export type Method = (context: CallContext, fields: Fields) => unknown;

export type Methods = Record<string, Method>;

/** A method whose parameters are read by `schema` before it runs. */
export function method<T extends z.ZodType<Fields>>(
  schema: T,
  run: (context: CallContext, parameters: z.output<T>) => unknown,
): Method {
  return (context, fields) => {
    const parameters = readParameters(schema, fields);
    context.understood(parameters);
    return run(context, parameters);
  };
}
