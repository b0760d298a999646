/** Starts the bot: reads the settings, and runs the bot if they are right. */
import { availableParallelism } from 'node:os';
import { createVoiceEncoder } from '../media/voice/voice-note.ts';
import { describeFault, dropSecrets, isUnconfigured, readConfig, readEnvironment } from './config.ts';
import { disableDebugger, stopSignal } from './process.ts';

/** Printed in a terminal when there are no settings yet. */
const FIRST_STEPS = `Lotsawa has no settings yet. To only look at it, without an account or a key:  npm run sandbox

To run it in Telegram:
  1. cp .env.example .env        the settings, each with its explanation; fill in six of them:
  2. In Telegram, write to @BotFather: /newbot, choose a name, and copy the token that it
     gives you after TELEGRAM_BOT_TOKEN=. For @yourbot in any chat, send it /setinline, too.
  3. From the provider of the recognition, translation and speech service: two addresses
     (SERVICE_AUTH_URL, SERVICE_BASE_URL), an API Key with its Secret Key (SERVICE_API_KEY,
     SERVICE_SECRET_KEY), and the X-Secret (SERVICE_X_SECRET).
  4. npm run doctor              checks all of it, and says what to mend
  5. npm start
`;

/** Runs the bot until it is told to stop; prints a reason not to start to standard error, and sets the exit code. */
export async function start(): Promise<void> {
  const environment = readEnvironment();
  const settings = readConfig(environment);
  if (!settings.ok) {
    const isFirstStart = process.stderr.isTTY && isUnconfigured(environment);
    const lines = settings.faults.map((fault) => `${describeFault(fault)}\n`);
    process.stderr.write(isFirstStart ? FIRST_STEPS : lines.join(''));
    process.exitCode = 1;
    return;
  }
  dropSecrets(environment);
  disableDebugger();
  // Before the rest is loaded: the first process of a container only gets signals that it listens for.
  const stop = stopSignal();
  // One more than there are cores: an encoder mostly waits for speech to arrive.
  const voiceEncoder = createVoiceEncoder({ concurrency: availableParallelism() + 1 });
  // Loaded last, since loading this code is most of the start.
  const { run } = await import('./run.ts');
  await run({ config: settings.config, voiceEncoder, stop });
}
