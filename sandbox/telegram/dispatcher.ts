/** Carries out Bot API calls: each is recorded, suffers its fault, runs its method and gets its answer. */
import { ApiError } from './api-error.ts';
import { type ApiCall, payloadOf } from './calls.ts';
import type { Core } from './core.ts';
import type { TelegramFaults } from './faults.ts';
import { FloodGate } from './flood.ts';
import { checkParameters } from './known-parameters.ts';
import type { CallContext } from './method.ts';
import { allMethods } from './methods/all.ts';
import { type ApiAnswer, errorReply, jsonReply, type Reply } from './reply.ts';
import type { Fields } from './request-body.ts';
import { suffer } from './suffer.ts';
import type { WebhookDelivery } from './webhook.ts';

interface DispatcherOptions {
  core: Core;
  webhook: WebhookDelivery;
  faults: TelegramFaults;
}

/** Telegram takes method names in any case. */
const METHODS = new Map(Object.entries(allMethods).map(([name, run]) => [name.toLowerCase(), run]));

export class Dispatcher {
  readonly calls: ApiCall[] = [];
  readonly #core: Core;
  readonly #webhook: WebhookDelivery;
  readonly #faults: TelegramFaults;
  readonly #flood = new FloodGate();

  constructor({ core, webhook, faults }: DispatcherOptions) {
    this.#core = core;
    this.#webhook = webhook;
    this.#faults = faults;
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
    const reply = await suffer(this.#faults, method, () => this.#answer(method, context, fields));
    call.payload = payloadOf(fields, understood);
    if (typeof reply === 'object') settle(call, reply);
    this.#core.events.emit('change');
    return reply;
  }

  async #answer(method: string, context: CallContext, fields: Fields): Promise<Reply> {
    const run = METHODS.get(method.toLowerCase());
    try {
      if (!run) throw new ApiError(404, 'Not Found');
      checkParameters(method, fields);
      return jsonReply(200, { ok: true, result: await run(context, fields) });
    } catch (error) {
      return errorReply(error);
    }
  }
}

function settle(call: ApiCall, { status, description }: ApiAnswer): void {
  call.answered = true;
  call.ok = status < 400;
  if (!call.ok) call.errorCode = status;
  if (description !== undefined) call.description = description;
}
