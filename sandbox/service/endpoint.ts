/** The shape that the service's four endpoints share. */
import type { IncomingHttpHeaders } from 'node:http';
import type { ServiceAnswer } from './answers.ts';
import type { CallKind } from './call-log.ts';

/** A request, wholly read. */
export interface Received {
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer<ArrayBuffer>;
}

/** A request understood: what it asks, and how it is answered. */
export interface Order {
  /** For the call log; without secrets. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Code points of `inputText`. */
  readonly characters: number;
  /** The true answer: the error for what breaks a rule, else the result of the work, which is done now. */
  answer(): Promise<ServiceAnswer>;
}

export interface Endpoint {
  readonly kind: CallKind;
  /** The only method is POST. */
  readonly path: string;
  read(received: Received): Promise<Order>;
}

/** An order that breaks a rule: no work is done for it. */
export function refusal(answer: ServiceAnswer, parameters: Order['parameters'] = {}, characters = 0): Order {
  return { parameters, characters, answer: async () => answer };
}
