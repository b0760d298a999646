/** Carries out Bot API calls: each is recorded, suffers its fault, runs its method and gets its answer. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from './api-error.ts';
import { type ApiCall, payloadOf } from './calls.ts';
import type { Core } from './core.ts';
import type { Fault, TelegramFaults } from './faults.ts';
import { FloodGate } from './flood.ts';
import type { CallContext, Methods } from './method.ts';
import type { Fields } from './request-body.ts';
import type { WebhookDelivery } from './webhook.ts';

/** What goes back over the connection; `silence` keeps it open, `reset` breaks it. */
export type Reply = Answer | 'silence' | 'reset';

interface Answer {
  status: number;
  type: string;
  body: string | Buffer;
  /** What Telegram says where it refuses. */
  description?: string;
}

export interface DispatcherOptions {
  core: Core;
  webhook: WebhookDelivery;
  faults: TelegramFaults;
  methods: Methods;
}

export class Dispatcher {
  readonly calls: ApiCall[] = [];
  readonly #core: Core;
  readonly #webhook: WebhookDelivery;
  readonly #faults: TelegramFaults;
  readonly #flood = new FloodGate();
  /** Telegram takes method names in any case. */
  readonly #methods: Map<string, Methods[string]>;

  constructor({ core, webhook, faults, methods }: DispatcherOptions) {
    this.#core = core;
    this.#webhook = webhook;
    this.#faults = faults;
    this.#methods = new Map(Object.entries(methods).map(([name, run]) => [name.toLowerCase(), run]));
  }

  /** Carries out one call; never rejects. `signal` is aborted when the caller is gone. */
  async call(method: string, fields: Fields, signal: AbortSignal): Promise<Reply> {
    const at = this.#core.now().getTime();
    const call: ApiCall = { method, payload: payloadOf(fields), at, answered: false, ok: false };
    this.calls.push(call);
    this.#core.events.emit('change');
    let understood = fields;
    const context: CallContext = {
      core: this.#core,
      faults: this.#faults,
      flood: this.#flood,
      webhook: this.#webhook,
      signal,
      understood: (parameters) => {
        understood = parameters;
      },
    };
    const reply = await suffer(this.#faults, method, () => this.#answer(call, context, fields));
    call.payload = payloadOf(understood);
    if (typeof reply === 'object') settle(call, reply);
    this.#core.events.emit('change');
    return reply;
  }

  async #answer(call: ApiCall, context: CallContext, fields: Fields): Promise<Reply> {
    const run = this.#methods.get(call.method.toLowerCase());
    try {
      if (!run) throw new ApiError(404, 'Not Found');
      return jsonReply(200, { ok: true, result: await run(context, fields) });
    } catch (error) {
      return errorReply(error);
    }
  }
}

function settle(call: ApiCall, { status, description }: Answer): void {
  call.answered = true;
  call.ok = status < 400;
  if (!call.ok) call.errorCode = status;
  if (description !== undefined) call.description = description;
}

/** Applies the fault planned for `method`, if any, to what `handle` does. */
export async function suffer(
  faults: TelegramFaults,
  method: string,
  handle: () => Promise<Reply>,
): Promise<Reply> {
  if (faults.latency > 0) await sleep(faults.latency);
  const fault = faults.take(method);
  switch (fault?.mode ?? (fault ? 'error' : undefined)) {
    case 'error':
      return faultReply(fault ?? {});
    case 'reset':
      return 'reset';
    case 'hang':
      return 'silence';
    case 'lost':
      await handle();
      return 'reset';
    case 'delay':
      await sleep(fault?.delayMs ?? 0);
      return handle();
    default:
      return handle();
  }
}

const DESCRIPTIONS: Record<number, string> = {
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  409: 'Conflict',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

function faultReply(fault: Fault): Reply {
  const { retryAfter, body } = fault;
  const status = fault.status ?? (retryAfter === undefined ? 500 : 429);
  if (typeof body === 'string') return { status, type: 'text/html', body };
  if (body !== undefined) return jsonReply(status, body);
  const usual = retryAfter === undefined ? undefined : `Too Many Requests: retry after ${retryAfter}`;
  const description = fault.description ?? usual ?? DESCRIPTIONS[status] ?? 'Bad Request';
  return errorReply(
    new ApiError(status, description, retryAfter === undefined ? undefined : { retry_after: retryAfter }),
  );
}

function jsonReply(status: number, body: unknown): Answer {
  return { status, type: 'application/json', body: JSON.stringify(body) };
}

/** Anything but an ApiError is a defect of the local Telegram: it answers 500 with the defect's message. */
export function errorReply(error: unknown): Answer {
  const { code, message, parameters } =
    error instanceof ApiError ? error : new ApiError(500, `Internal Server Error: ${String(error)}`);
  const body = { ok: false, error_code: code, description: message, ...(parameters && { parameters }) };
  return { ...jsonReply(code, body), description: message };
}
