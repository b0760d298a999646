/** What stands between the bot and a server takes connections in its place. */
import { once } from 'node:events';
import type { Server } from 'node:net';

/** Has `listener` listen on a free port; gives the address of the server behind it by way of that port. */
export async function listeningBefore(listener: Server, address: string): Promise<string> {
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const place = listener.address();
  if (place === null || typeof place === 'string') throw new Error('no port');
  const url = new URL(address);
  url.port = String(place.port);
  return url.href;
}
