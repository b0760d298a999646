/** Loads what pictures and speech need while updates are taken already: neither the start nor the first request waits for it. */
import type { Log } from '../log.ts';
import { loadSharp } from '../media/picture/load-sharp.ts';
import type { VoiceEncoder } from '../media/voice/voice-note.ts';
import { outlastShortage } from '../shortage.ts';

/** Between two looks whether a shortage of the machine's has passed, in ms. */
const AGAIN_AFTER_MS = 1000;

/**
 * Meant for the moment in which updates begin to be taken. A library that cannot be loaded is logged: it is tried again when it is
 * needed. Throws `audio`, in words for the operator, where no speech could ever be encoded; what the machine is short of just now
 * is waited for.
 */
export async function warmUp(voiceEncoder: VoiceEncoder, log: Log): Promise<void> {
  const loaded = loadSharp().catch((error: unknown) => {
    log.error({ error }, 'a library cannot be loaded: install the bot again');
  });
  await Promise.all([loaded, warmEncoder(voiceEncoder, log)]);
}

function warmEncoder(voiceEncoder: VoiceEncoder, log: Log): Promise<void> {
  return outlastShortage(() => voiceEncoder.warm(), {
    firstMs: AGAIN_AFTER_MS,
    onShortage: (error) => log.warn({ error }, 'the machine is short of what an encoder takes'),
  });
}
