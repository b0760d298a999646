/** `GET /api/files/:fileId`: every file of the local Telegram. */
import type { FastifyInstance } from 'fastify';
import type { LocalTelegram } from '../telegram/local-telegram.ts';
import { inlineType } from './content-type.ts';
import { Refusal } from './refusal.ts';

/** Adds the route; a file that Telegram has forgotten is a Refusal 404. */
export function addFileRoutes(app: FastifyInstance, { world }: LocalTelegram): void {
  app.get<{ Params: { fileId: string } }>('/api/files/:fileId', (request, reply) => {
    const file = bytesOf(world.fileBytes.bind(world), request.params.fileId);
    const type = inlineType(file);
    reply.header('cache-control', 'private, max-age=3600, immutable');
    if (type === undefined) reply.header('content-disposition', 'attachment');
    return reply.type(type ?? 'application/octet-stream').send(file);
  });
}

function bytesOf(read: (fileId: string) => Buffer, fileId: string): Buffer {
  try {
    return read(fileId);
  } catch (error) {
    throw new Refusal(404, 'Telegram no longer has this file', error);
  }
}
