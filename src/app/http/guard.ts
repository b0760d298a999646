/** Protects the HTTP server: refusals that reveal nothing, and a limit on requests whose answers are not read. */
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply } from 'fastify';

// An import of node:http would touch all its exports and load a WebSocket client: 30 ms of each start.
const { STATUS_CODES } = process.getBuiltinModule('node:http');

/** Answers with the status and its standard text alone, and closes the connection without reading the rest of the body. */
export function refuse(reply: FastifyReply, status: number): FastifyReply {
  return reply
    .code(status)
    .header('connection', 'close')
    .type('text/plain; charset=utf-8')
    .send(`${STATUS_CODES[status] ?? 'Error'}\n`);
}

/** Node keeps reading while answers are outstanding, and handles all that it has read at once. */
const MOST_UNANSWERED = 10;

/** From now on closes connections with more unanswered requests than that. */
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
