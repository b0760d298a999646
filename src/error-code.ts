/** The code by which an error of Node, of a database or of a library tells what it is. */

/** `EADDRINUSE`, `SQLITE_BUSY`, `UND_ERR_SOCKET`; undefined for an error that has none, and for what is no error. */
export function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && code !== '' ? code : undefined;
}
