/** Loads what the bot needs for pictures and speech but not to take updates, so that the start does not wait for it, and no person either. */
import type { Log } from '../log.ts';
import { loadSharp } from '../media/load-sharp.ts';
import type { VoiceEncoder } from '../media/voice-note.ts';

/**
 * Meant for the moment in which updates begin to be taken. A library that cannot be loaded is logged: it is tried again when it is
 * needed. Throws `audio`, in words for the operator, where no speech could ever be encoded.
 */
export async function warmUp(voices: VoiceEncoder, log: Log): Promise<void> {
  const loaded = loadSharp().catch((error: unknown) => {
    log.error({ error }, 'a library cannot be loaded: install the bot again');
  });
  await Promise.all([loaded, voices.warm()]);
}
