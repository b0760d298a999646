/** Checks what the bot needs of the machine: Node, and an ffmpeg that makes voice notes. */
import { isFailure } from '../errors.ts';
import { probeFfmpeg } from '../media/voice/opus.ts';
import { errorCode, type Finding, well, wrong } from './finding.ts';

/** TypeScript without flags, and `await using`. */
const LEAST_NODE = 24;

/** `version` as in `process.versions.node`. */
export function checkNode(version: string): Finding {
  if (Number.parseInt(version, 10) >= LEAST_NODE) return well(`Node: ${version}`);
  const remedy = `npm run doctor and npm start bring Node ${LEAST_NODE} along; else install it`;
  return wrong(`Node: ${version} is too old, ${LEAST_NODE} or later is needed`, remedy);
}

/** Runs ffmpeg to ask what it can do. */
export async function checkFfmpeg(): Promise<Finding> {
  try {
    await probeFfmpeg();
    return well('ffmpeg: runs, and makes Opus voice notes');
  } catch (error) {
    const reason = isFailure(error, 'audio') ? error.message : errorCode(error);
    return wrong(`ffmpeg: ${reason}`, 'sudo apt-get install ffmpeg (macOS: brew install ffmpeg)');
  }
}
