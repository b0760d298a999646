/** A Bot API method: the zod schema of its parameters, and its function. */
import type { z } from 'zod';
import type { Core } from './core.ts';
import type { TelegramFaults } from './faults.ts';
import type { FloodGate } from './flood.ts';
import type { MethodResults } from './objects.ts';
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
  /** Records the parameters as understood. */
  readonly understood: (fields: Fields) => void;
}

/** Returns the call's `result`, or throws ApiError. */
export type Method<Result = unknown> = (context: CallContext, fields: Fields) => Result | Promise<Result>;

/** Methods by their names in the current Bot API, with their results. */
export type Methods = { [Name in keyof MethodResults]?: Method<MethodResults[Name]> };

/** A method whose parameters are read by `schema` before it runs. */
export function method<T extends z.ZodType<Fields>, const Result>(
  schema: T,
  run: (context: CallContext, parameters: z.output<T>) => Result | Promise<Result>,
): Method<Result> {
  return (context, fields) => {
    const parameters = readParameters(schema, fields);
    context.understood(parameters);
    return run(context, parameters);
  };
}
