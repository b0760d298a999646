/** Starts the sandbox's chat page: the people's side of the local Telegram in a browser. */
import Fastify, { type FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { LocalService } from '../service/local-service.ts';
import type { LocalTelegram } from '../telegram/local-telegram.ts';
import { createBotActions } from './bot-actions.ts';
import { addEventStream } from './event-stream.ts';
import { FaultSwitches } from './fault-switches.ts';
import { addFileRoutes } from './file-routes.ts';
import { groupActions } from './group-actions.ts';
import { addUploads, sampleActions } from './media-actions.ts';
import { messageActions } from './message-actions.ts';
import { addStaticFiles } from './static-files.ts';

interface PageOptions {
  readonly telegram: LocalTelegram;
  readonly service: LocalService;
  /** 0 picks a free one. */
  readonly port: number;
}

/** Serves the page; rejects when the port is taken. */
export async function startPage({ telegram, service, port }: PageOptions) {
  const app = Fastify({ forceCloseConnections: true });
  const switches = new FaultSwitches(telegram, service);
  answerRefusals(app);
  await addStaticFiles(app);
  await addUploads(app, telegram);
  addFileRoutes(app, telegram);
  const actions = { ...messageActions, ...sampleActions, ...createBotActions(), ...groupActions };
  for (const [name, act] of Object.entries(actions))
    app.post(`/api/${name}`, async ({ body }) => (await act(telegram, body)) ?? {});
  const stream = addEventStream(app, { telegram, service, switches });
  app.post('/api/setFaults', async ({ body }) => {
    switches.move(body);
    stream.tell({ type: 'faults', faults: switches.read() });
    return {};
  });
  const url = await app.listen({ port, host: '127.0.0.1' });
  return {
    /** What to open in a browser. */
    url,
    async close() {
      stream.close();
      await app.close();
    },
  };
}

/** The local Telegram throws a RangeError for what a Telegram app would not do, so its message can be shown. */
function answerRefusals(app: FastifyInstance): void {
  app.setErrorHandler((error, _request, reply) => {
    if (error instanceof z.ZodError) return reply.code(400).send({ message: z.prettifyError(error) });
    if (error instanceof RangeError) return reply.code(400).send({ message: error.message });
    throw error;
  });
}
