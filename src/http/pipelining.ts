/** Clients that send request after request without taking the answers: nobody else is held up by them, nor the memory filled. */
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

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
