/** What the bot can do: read, translate and speak, by way of the paid service and this machine's encoders. */
import { createHash } from 'node:crypto';
import type { Config } from '../config.ts';
import type { OnAlert } from '../interpreter/alert.ts';
import { createInterpreter, type Interpreter } from '../interpreter/interpreter.ts';
import type { Log } from '../log.ts';
import { createImageFitter } from '../media/picture/image.ts';
import type { VoiceEncoder } from '../media/voice/voice-note.ts';
import type { Metrics } from '../metrics.ts';
import { createService, type Service } from '../service/client.ts';
import type { ServiceEvent } from '../service/events.ts';
import { createTokenStore } from '../store/kept/tokens.ts';
import type { Records } from './records.ts';

export interface Abilities {
  readonly service: Service;
  readonly interpreter: Interpreter;
}

interface AbilitiesOptions {
  readonly config: Config['service'];
  readonly voiceEncoder: VoiceEncoder;
  readonly records: Records;
  readonly metrics: Metrics;
  readonly log: Log;
  readonly alert: OnAlert;
}

/** Nothing is asked of the service before the first request. */
export function createAbilities({
  config,
  voiceEncoder,
  records,
  metrics,
  log,
  alert,
}: AbilitiesOptions): Abilities {
  const service = createService({
    config,
    tokenStore: createTokenStore(records.database.sql),
    now: records.database.now,
    onEvent: (event) => {
      log[event.type.endsWith('-failed') ? 'warn' : 'debug'](event, 'service');
      count(metrics, event);
    },
  });
  const interpreter = createInterpreter({
    service,
    images: createImageFitter({ concurrency: 1 }),
    voiceEncoder,
    claims: records.claims,
    lateWrites: records.lateWrites,
    ledger: records.ledger,
    results: records.results,
    pauses: records.pauses,
    credentials: fingerprint(config),
    log,
    onAlert: alert,
    onReuse: metrics.reused,
  });
  return { service, interpreter };
}

function count(metrics: Metrics, event: ServiceEvent): void {
  if (event.type === 'try') metrics.serviceCall(event.kind, event.outcome, event.ms);
  if (event.type === 'token') metrics.serviceCall('token', event.outcome, event.ms);
  if (event.type === 'speech-ended') metrics.speechEnded(event.outcome);
}

/** Tells configured credentials apart without giving them away. */
function fingerprint({ apiKey, secretKey, xSecret }: Config['service']): string {
  return createHash('sha256')
    .update(JSON.stringify([apiKey, secretKey, xSecret]))
    .digest('hex')
    .slice(0, 12);
}
