/** A voice note as the bot would make one: OGG with Opus, by the real ffmpeg. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** A steady tone of that many seconds. */
export async function toneAsVoiceNote(seconds: number): Promise<Buffer> {
  const source = ['-f', 'lavfi', '-i', `sine=frequency=330:duration=${seconds}:sample_rate=16000`];
  const encoding = ['-c:a', 'libopus', '-b:a', '24k', '-f', 'ogg', 'pipe:1'];
  const { stdout } = await promisify(execFile)('ffmpeg', ['-v', 'error', ...source, ...encoding], {
    encoding: 'buffer',
  });
  return stdout;
}
