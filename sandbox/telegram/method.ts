/** A Bot API method: the zod schemas of its parameters, and its function. */
import { z } from 'zod';
import type { Core } from './core.ts';
import type { TelegramFaults } from './faults.ts';
import type { FloodGate } from './flood.ts';
import type { MethodResults } from './objects.ts';
import { type Read, readParameters } from './parameters.ts';
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

/** A method whose parameters are read by these schemas before it runs. */
export function method<Shape extends z.ZodRawShape, const Result>(
  shape: Shape,
  run: (context: CallContext, parameters: Read<Shape>) => Result | Promise<Result>,
): Method<Result> {
  const schema = z.looseObject(shape);
  return (context, fields) => {
    const parameters = readParameters(schema, fields);
    context.understood(parameters);
    return run(context, parameters);
  };
}
