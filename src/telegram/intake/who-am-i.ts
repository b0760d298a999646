/** The bot's own account, as Telegram knows it. */
import { TelegramError } from 'telegraf';
import type { UserFromGetMe } from 'telegraf/types';
import type { Log } from '../../log.ts';
import { eventually } from '../../patience.ts';
import type { BotApi } from '../api/api.ts';

const BACKOFF_MS = 3000;

/** The account. Telegram being out of reach is waited for; a refused token is logged, and gives undefined as the abort of `signal` does. */
export async function whoAmI(api: BotApi, log: Log, signal: AbortSignal): Promise<UserFromGetMe | undefined> {
  const ask = async (): Promise<UserFromGetMe | 'refused' | undefined> => {
    try {
      return await api.callApi('getMe', {}, { signal });
    } catch (error) {
      if (signal.aborted) return undefined;
      if (error instanceof TelegramError && (error.code === 401 || error.code === 404)) {
        log.fatal('TELEGRAM_BOT_TOKEN is not known to Telegram: copy it from BotFather once more');
        return 'refused';
      }
      log.warn({ error }, 'Telegram cannot be reached yet');
      return undefined;
    }
  };
  const account = await eventually(ask, BACKOFF_MS, signal);
  return account === 'refused' ? undefined : account;
}
