/** Checks whether a self-hosted Bot API server serves files, through `TELEGRAM_FILES_DIR` or through a web server. */
import { readdir } from 'node:fs/promises';
import { isFailure } from '../errors.ts';
import type { BotApi } from '../telegram/api/api.ts';
import { downloadFile } from '../telegram/api/files.ts';
import { errorCode, type Finding, open, well, wrong } from './finding.ts';

/** Downloads the bot's profile picture, if it has one: the only file known to exist. */
export async function checkFiles(api: BotApi, botId: number, signal: AbortSignal): Promise<Finding[]> {
  const { filesDir, isSelfHosted } = api;
  if (!isSelfHosted)
    return filesDir === undefined
      ? []
      : [
          wrong(
            "Files: TELEGRAM_FILES_DIR is set, but TELEGRAM_API_ROOT is Telegram's own server, which keeps no files here",
            'unset it, or set TELEGRAM_API_ROOT to your own Bot API server',
          ),
        ];
  try {
    if (filesDir !== undefined) await readdir(filesDir);
  } catch (error) {
    return [
      wrong(
        `Files: the folder TELEGRAM_FILES_DIR cannot be read (${errorCode(error)})`,
        "set it to the working folder of the Bot API server as this machine sees it, and let the bot's user read it",
      ),
    ];
  }
  try {
    const { photos } = await api.callApi('getUserProfilePhotos', { user_id: botId, limit: 1 }, { signal });
    const smallest = photos[0]?.[0];
    if (smallest === undefined)
      return [
        open(
          `Files: the first photo will show whether the server serves them (${how(filesDir)})`,
          'to check it now, give the bot a picture in @BotFather (/setuserpic), and run this again',
        ),
      ];
    await downloadFile(api, smallest.file_id, signal);
    return [well('Files: the Bot API server at TELEGRAM_API_ROOT serves them')];
  } catch (error) {
    if (isFailure(error, 'file-unserved'))
      return [wrong('Files: the Bot API server serves none', error.message)];
    return [open(`Files: downloading one failed (${errorCode(error)})`, 'run this again later')];
  }
}

function how(filesDir: string | undefined): string {
  if (filesDir !== undefined) return 'TELEGRAM_FILES_DIR can be read';
  return 'a Bot API server leaves that to a web server, unless it runs with --local and TELEGRAM_FILES_DIR is set';
}
