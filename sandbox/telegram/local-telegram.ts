/** A strict local Telegram: a Bot API server for the bot, and the people's side for tests and the chat page. */
import { join } from 'node:path';
import { startApiServer } from './api-server.ts';
import type { ApiCall } from './calls.ts';
import { Core } from './core.ts';
import { Dispatcher } from './dispatcher.ts';
import { TelegramFaults } from './faults.ts';
import type { HandingOut } from './files.ts';
import type { BotUser } from './objects.ts';
import { photoSizes } from './photo-sizes.ts';
import { waitUntil } from './wait-until.ts';
import { WebhookDelivery } from './webhook.ts';
import { World } from './world.ts';

export interface LocalTelegramOptions {
  /** The bot's token, as from BotFather: `<bot id>:<secret>`. */
  token: string;
  /** Default 0: any free port. */
  port?: number;
  /** The clock of message dates and of stale queries. */
  now?: () => Date;
}

export type LocalTelegram = Awaited<ReturnType<typeof startLocalTelegram>>;

/** Starts it; rejects when the port is taken. */
export async function startLocalTelegram(options: LocalTelegramOptions) {
  const { token, port = 0, now = () => new Date() } = options;
  const bot: BotUser = {
    id: Number.parseInt(token, 10) || 7_000_000_001,
    is_bot: true,
    first_name: 'Lotsawa',
    username: 'lotsawa_bot',
    can_join_groups: true,
    can_read_all_group_messages: false,
    supports_guest_queries: true,
    supports_inline_queries: true,
    can_connect_to_business: false,
    has_main_web_app: false,
    has_topics_enabled: false,
    allows_users_to_create_topics: false,
    can_manage_bots: false,
    supports_join_request_queries: false,
  };
  const core = new Core(bot, now);
  const faults = new TelegramFaults();
  const webhook = new WebhookDelivery(core.updates, now, (method, fields) => {
    void dispatcher.call(method, fields, new AbortController().signal);
  });
  const dispatcher = new Dispatcher({ core, webhook, faults });
  const server = await startApiServer({ token, port, core, faults, dispatcher });
  const calls: readonly ApiCall[] = dispatcher.calls;
  const isReady = (): boolean =>
    calls.some(({ method, ok }) => method === 'getUpdates' || (method === 'setWebhook' && ok));
  return {
    /** `http://127.0.0.1:PORT`: what the bot takes for https://api.telegram.org. */
    apiRoot: server.root,
    bot,
    /** The people's side. */
    world: new World(core),
    /** Every Bot API call, in order of arrival. */
    calls,
    /** How many updates the bot has not confirmed yet, as `pending_update_count` of getWebhookInfo. */
    get pendingUpdateCount() {
      return core.updates.pending.length;
    },
    /** What the next calls are to suffer. */
    faults,
    /** Hands files out so from now on. With `--local` the bot's are in a folder of its token's name within `folder`. */
    handOut: (how: HandingOut): void => {
      core.files.handingOut = typeof how === 'object' ? { folder: join(how.folder, token) } : how;
    },
    /** Gives the bot a picture of its own, as /setuserpic does at BotFather. */
    setBotPicture: async (picture: Buffer): Promise<void> => {
      core.profile.picture = await photoSizes(picture, core.files);
    },
    /** Resolves when the bot has asked for updates or set a webhook. */
    botReady: async (timeoutMs = 60_000): Promise<void> => {
      const describe = () => 'the bot neither polls nor has set a webhook';
      await waitUntil(core.events, isReady, { timeoutMs, describe });
    },
    close: async () => {
      webhook.remove();
      await server.close();
    },
  };
}
