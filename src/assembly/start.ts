/** The bot's first moment: reads the settings, and has the bot run on them where they are sound. */
import { availableParallelism } from 'node:os';
import { describeFault, dropSecrets, isUnconfigured, readConfig } from '../config.ts';
import { readEnvironment } from '../environment.ts';
import { createVoiceEncoder } from '../media/voice/voice-note.ts';
import { failStart } from './fail-start.ts';
import { firstSignal } from './first-signal.ts';
import { FIRST_STEPS } from './first-steps.ts';
import { keepDebuggerShut } from './no-debugger.ts';
import { closesPipesOfUnstarted } from './unstarted-processes.ts';

/** Runs the bot until it is told to stop; what keeps it from starting is told on standard error, and in the exit code. */
export async function start(): Promise<void> {
  const environment = readEnvironment();
  const settings = readConfig(environment);
  if (!settings.ok) {
    const isFirstStart = process.stderr.isTTY && isUnconfigured(environment);
    const lines = settings.faults.map((fault) => `${describeFault(fault)}\n`);
    process.stderr.write(isFirstStart ? FIRST_STEPS : lines.join(''));
    return failStart();
  }
  dropSecrets(environment);
  keepDebuggerShut();
  closesPipesOfUnstarted();
  // Before the rest is loaded: as the first process of a container it gets no signal that it does not listen for.
  const stop = firstSignal();
  const voiceEncoder = createVoiceEncoder({
    // One more than there are cores: an encoder mostly waits for the speech that still arrives.
    concurrency: availableParallelism() + 1,
    // By name, which is enough to run it: fluent-ffmpeg would otherwise look for its path after the loading below.
    ...(!environment.FFMPEG_PATH && { ffmpegPath: 'ffmpeg' }),
  });
  // Only now: most of the start is the loading of this code.
  const { run } = await import('./run.ts');
  await run({ config: settings.config, voiceEncoder, stop });
}
