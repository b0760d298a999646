/** Where a test starts the bot's processes itself: the local Telegram and service, a folder, and the settings that lead there. */
import { type LocalService, startLocalService } from '../sandbox/service/local-service.ts';
import { createQuickEngines } from '../sandbox/service/quick-engines.ts';
import { type LocalTelegram, startLocalTelegram } from '../sandbox/telegram/local-telegram.ts';
import {
  type BotFolder,
  type BotProcess,
  botEnvironment,
  makeBotFolder,
  startBotProcess,
  TOKEN,
} from './bot-process.ts';

export interface BotPlace {
  /** Another may take its place, at the same address; it is closed with the place. */
  telegram: LocalTelegram;
  readonly service: LocalService;
  readonly folder: BotFolder;
  readonly settings: Readonly<Record<string, string>>;
  /** A process with these settings, and with the changes to them. */
  start(changes?: Record<string, string>, options?: Parameters<typeof startBotProcess>[2]): BotProcess;
  /** Ends every process that was started here, and all else. */
  close(): Promise<void>;
}

/** With the local Telegram and service running, and no bot yet. The service speaks as `speech` says. */
export async function openBotPlace(speech?: Parameters<typeof createQuickEngines>[0]): Promise<BotPlace> {
  const service = await startLocalService({ engines: createQuickEngines(speech) });
  const telegram = await startLocalTelegram({ token: TOKEN });
  // Changes of the service also wake those who wait for the world.
  service.onChange(() => place.telegram.world.events.emit('change'));
  const folder = makeBotFolder();
  const settings = botEnvironment(telegram, service, folder);
  const bots: BotProcess[] = [];
  const place: BotPlace = {
    telegram,
    service,
    folder,
    settings,
    start: (changes = {}, options) => {
      const bot = startBotProcess({ ...settings, ...changes }, folder, options);
      bots.push(bot);
      return bot;
    },
    close: async () => {
      await Promise.all(bots.map((bot) => bot.stop('SIGKILL')));
      await place.telegram.close();
      await service.close();
      folder.remove();
    },
  };
  return place;
}
