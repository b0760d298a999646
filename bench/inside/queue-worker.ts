/** A process that handles updates until its parent stops it, and reports each. */
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { openQueue } from './queue.ts';

const [url = '', workMs = '0'] = process.argv.slice(2);
const { queue, close } = await openQueue({ engine: 'postgres', url });
await queue.start(async () => {
  await delay(Number(workMs));
  process.send?.('handled');
  return { state: 'done', sent: [] };
});
process.send?.('ready');
await once(process, 'message');
await queue.stop(1000);
await close();
process.disconnect();
