/** The files of a Bot API server that runs with `--local` (spec §1, `TELEGRAM_FILES_DIR`): read from its folder, and from nowhere else. */
import { constants, type FileHandle, open, realpath } from 'node:fs/promises';
import { join, normalize } from 'node:path';
import { codeOf, Failure } from '../../errors.ts';

/** The most that a file of a server of one's own may have, in bytes: all of the memory that pictures get together. */
export const MAX_LOCAL_FILE_BYTES = 128 * 1024 * 1024;

interface LocalFiles {
  /** The server's working folder, as this process sees it. */
  readonly folder: string;
  /** The server keeps a bot's files in a folder of that name. */
  readonly token: string;
}

/**
 * The bytes of a file at the absolute path that `getFile` gave. Where the server sees its folder elsewhere (another container), the part
 * from the bot's own folder on counts. Throws `file-too-large`, and `file-unserved` for whatever is not an ordinary file below the folder,
 * reached without symbolic links. No error holds the path: it holds the token.
 */
export async function readLocalFile(path: string, { folder, token }: LocalFiles): Promise<Buffer> {
  const file = await openInside(path, { folder, token });
  try {
    const stat = await file.stat();
    if (!stat.isFile()) throw outside();
    if (stat.size > MAX_LOCAL_FILE_BYTES) throw new Failure('file-too-large', 'a file is above 128 MB');
    return await file.readFile();
  } finally {
    await file.close();
  }
}

async function openInside(path: string, files: LocalFiles): Promise<FileHandle> {
  try {
    const root = await realpath(files.folder);
    const wanted = join(root, belowFolder(path, files));
    // Anything but the path itself was reached by a symbolic link.
    if ((await realpath(wanted)) !== wanted) throw outside();
    // Of a pipe nothing would ever come.
    return await open(wanted, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (error instanceof Failure) throw error;
    const why = `(${codeOf(error) ?? 'unreadable'})`;
    throw new Failure(
      'file-unserved',
      `a file cannot be read in TELEGRAM_FILES_DIR ${why}: set it to the working folder of the Bot API server as this process sees it, and let the bot's user read it`,
    );
  }
}

/** The path from the folder on. */
function belowFolder(path: string, { folder, token }: LocalFiles): string {
  if (path !== normalize(path) || path.includes('\0')) throw outside();
  const start = `${normalize(folder).replace(/\/$/, '')}/`;
  if (path.startsWith(start)) return path.slice(start.length);
  const ownFolder = path.indexOf(`/${token}/`);
  if (ownFolder < 0) throw outside();
  return path.slice(ownFolder + 1);
}

function outside(): Failure {
  return new Failure(
    'file-unserved',
    'the Bot API server names no file in TELEGRAM_FILES_DIR: set it to the working folder of that server',
  );
}
