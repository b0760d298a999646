/** `GET /api/files/:fileId`: every file of the local Telegram, in parts where the browser asks for parts. */
import type { FastifyInstance } from 'fastify';
import type { LocalTelegram } from '../telegram/local-telegram.ts';
import { readRange } from './byte-range.ts';
import { inlineType } from './content-type.ts';
import { Refusal } from './refusal.ts';

/** Adds the route; a file that Telegram has forgotten is a Refusal 404. */
export function addFileRoutes(app: FastifyInstance, { world }: LocalTelegram): void {
  app.get<{ Params: { fileId: string } }>('/api/files/:fileId', (request, reply) => {
    const file = bytesOf(world.fileBytes.bind(world), request.params.fileId);
    const type = inlineType(file);
    reply.header('accept-ranges', 'bytes').header('cache-control', 'private, max-age=3600, immutable');
    reply.type(type ?? 'application/octet-stream');
    if (type === undefined) reply.header('content-disposition', 'attachment');

    const range = readRange(request.headers.range, file.length);
    if (range === undefined) return reply.send(file);
    if (range === 'unsatisfiable')
      return reply.code(416).header('content-range', `bytes */${file.length}`).send();
    return reply
      .code(206)
      .header('content-range', `bytes ${range.start}-${range.end}/${file.length}`)
      .send(file.subarray(range.start, range.end + 1));
  });
}

function bytesOf(read: (fileId: string) => Buffer, fileId: string): Buffer {
  try {
    return read(fileId);
  } catch (error) {
    throw new Refusal(404, 'Telegram no longer has this file', error);
  }
}
