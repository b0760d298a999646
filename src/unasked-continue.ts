/** Tolerates an unasked `100 Continue`: HTTP allows it before any answer (RFC 9110 §15.2), but undici takes it for a broken one. */
import type { Socket } from 'node:net';

/** The start of an interim answer, up to its status. */
const INTERIM = /^HTTP\/1\.[01] 1(\d\d) /;
const LENGTH_OF_INTERIM = 'HTTP/1.1 100 '.length;
const LAST_DIGIT = 'HTTP/1.1 10'.length;

/**
 * Makes undici see `102 Processing` instead, which it skips as it should. Each head of an answer begins a chunk, since nothing comes on a
 * connection before it was asked for; other bytes are not examined. Each interim answer counts as a sign of life, also for undici: if
 * nothing else comes for `longestMs`, the connection ends with ETIMEDOUT.
 */
export function tolerateUnaskedContinue(socket: Socket, longestMs: number): void {
  const read = socket.read.bind(socket);
  let interimSince: number | undefined;
  socket.read = (size) => {
    const chunk: unknown = read(size);
    if (!Buffer.isBuffer(chunk)) return chunk;
    if (!renameContinue(chunk)) interimSince = undefined;
    else if (interimSince === undefined) interimSince = performance.now();
    else if (performance.now() - interimSince > longestMs) {
      socket.destroy(Object.assign(new Error('nothing but interim answers'), { code: 'ETIMEDOUT' }));
      return null;
    }
    return chunk;
  };
}

/** Whether these bytes, as far as they go, hold only interim answers. */
function renameContinue(bytes: Buffer): boolean {
  for (let at = 0; at < bytes.length; ) {
    const status = INTERIM.exec(bytes.toString('latin1', at, at + LENGTH_OF_INTERIM))?.[1];
    if (status === undefined) return false;
    if (status === '00') bytes.write('2', at + LAST_DIGIT, 'latin1');
    const end = bytes.indexOf('\r\n\r\n', at);
    if (end < 0) return true;
    at = end + 4;
  }
  return true;
}
