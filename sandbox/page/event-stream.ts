/** `GET /api/events`: Server-Sent Events to every open page. */
import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { watchWorld } from './live-events.ts';
import type { PageEvent } from './protocol.ts';
import { type Shown, takeSnapshot } from './snapshot.ts';

/** Adds the route; each connection begins with the whole world. */
export function addEventStream(app: FastifyInstance, shown: Shown) {
  const pages = new Set<ServerResponse>();
  const tell = (event: PageEvent): void => {
    const frame = inOneFrame(event);
    for (const page of pages) page.write(frame);
  };
  const stopWatching = watchWorld(shown, tell);

  app.get('/api/events', (request, reply) => {
    reply.hijack();
    const page = reply.raw;
    const headers = {
      ...reply.getHeaders(),
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
    };
    for (const [name, value] of Object.entries(headers)) if (value !== undefined) page.setHeader(name, value);
    page.write(inOneFrame({ type: 'snapshot', snapshot: takeSnapshot(shown) }));
    pages.add(page);
    request.raw.on('close', () => pages.delete(page));
  });

  return {
    /** Sends an event to every open page. */
    tell,
    /** Ends every connection; a page tries to connect again by itself. */
    close() {
      stopWatching();
      for (const page of pages) page.end();
    },
  };
}

/** JSON has no bare line breaks, so one `data:` line holds it. */
function inOneFrame(event: PageEvent): string {
  return `data: ${JSON.stringify(event)}\n\n`;
}
