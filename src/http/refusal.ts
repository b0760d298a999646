/** How every request that gets nothing is answered: by its status and the status' usual words alone. */
import { STATUS_CODES } from 'node:http';
import type { FastifyReply } from 'fastify';

/** Answers, and hangs up: what is left of the request's body is not read. */
export function refuse(reply: FastifyReply, status: number): FastifyReply {
  return reply
    .code(status)
    .header('connection', 'close')
    .type('text/plain; charset=utf-8')
    .send(`${STATUS_CODES[status] ?? 'Error'}\n`);
}
