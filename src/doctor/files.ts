/** Checks whether a Bot API server of one's own hands files out, through `TELEGRAM_FILES_DIR` or through a web server. */
import { readdir } from 'node:fs/promises';
import { isFailure } from '../errors.ts';
import type { BotApi } from '../telegram/api/api.ts';
import { downloadFile } from '../telegram/api/files.ts';
import { errorCode, type Finding, open, well, wrong } from './finding.ts';

/** Downloads the bot's profile picture, if it has one: the only file known to exist. */
export async function checkFiles(api: BotApi, botId: number, signal: AbortSignal): Promise<Finding[]> {
  if (!api.isSelfHosted) return api.filesDir === undefined ? [] : [uselessFilesDir()];
  const unreadable = await unreadableFolder(api.filesDir);
  if (unreadable !== undefined) return [unreadable];
  try {
    const { photos } = await api.callApi('getUserProfilePhotos', { user_id: botId, limit: 1 }, { signal });
    const smallest = photos[0]?.[0];
    if (smallest === undefined) return [unprovenFiles(api.filesDir)];
    await downloadFile(api, smallest.file_id, signal);
    return [well('Files: the Bot API server at TELEGRAM_API_ROOT hands them out')];
  } catch (error) {
    if (isFailure(error, 'file-unserved'))
      return [wrong('Files: the Bot API server hands out none', error.message)];
    return [open(`Files: not to be had at the moment (${errorCode(error)})`, 'run this again later')];
  }
}

function uselessFilesDir(): Finding {
  return wrong(
    "Files: TELEGRAM_FILES_DIR is set, but TELEGRAM_API_ROOT is Telegram's own server, which has no folder here",
    'unset it, or set TELEGRAM_API_ROOT to your own Bot API server',
  );
}

async function unreadableFolder(folder: string | undefined): Promise<Finding | undefined> {
  if (folder === undefined) return undefined;
  try {
    await readdir(folder);
    return undefined;
  } catch (error) {
    return wrong(
      `Files: the folder TELEGRAM_FILES_DIR cannot be read (${errorCode(error)})`,
      "set it to the working folder of the Bot API server as it is seen from here, and let the bot's user read it",
    );
  }
}

function unprovenFiles(folder: string | undefined): Finding {
  const how =
    folder === undefined
      ? 'a Bot API server leaves that to a web server, unless it runs with --local and TELEGRAM_FILES_DIR is set'
      : 'TELEGRAM_FILES_DIR can be read';
  return open(
    `Files: whether they can be had shows with the first photo (${how})`,
    'to see it now, give the bot a picture in @BotFather (/setuserpic), and run this again',
  );
}
