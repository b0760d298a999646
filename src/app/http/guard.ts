/** How the HTTP side keeps strangers short: refusals that say nothing, and a bound on requests whose answers are not read. */
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply } from 'fastify';

// Imported, node:http would be asked for all that it exports, and load a client for web sockets: 30 ms of each start.
const { STATUS_CODES } = process.getBuiltinModule('node:http');

/** Answers by the status and its usual words alone, and hangs up: what is left of the request's body is not read. */
export function refuse(reply: FastifyReply, status: number): FastifyReply {
  return reply
    .code(status)
    .header('connection', 'close')
    .type('text/plain; charset=utf-8')
    .send(`${STATUS_CODES[status] ?? 'Error'}\n`);
}

/** Node reads on as long as the answers are not there yet, and has all that it has read handled at once. */
const MOST_UNANSWERED = 10;

/** From now on a connection with more requests than that, whose answers were not taken yet, is cut. */
export function boundPipelining(app: FastifyInstance): void {
  const unanswered = new WeakMap<Socket, number>();
  app.addHook('onRequest', async ({ raw: { socket } }, reply) => {
    const before = unanswered.get(socket) ?? 0;
    if (socket.destroyed || before >= MOST_UNANSWERED) {
      socket.destroy();
      return reply.hijack();
    }
    unanswered.set(socket, before + 1);
    reply.raw.once('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1));
  });
}
