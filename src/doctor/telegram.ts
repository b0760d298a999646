/** Checks the bot's account at Telegram: its token, and what BotFather allows it. */
import { TelegramError } from 'telegraf';
import type { UserFromGetMe } from 'telegraf/types';
import type { BotApi } from '../telegram/api/api.ts';
import { errorCode, type Finding, open, well, wrong } from './finding.ts';

export interface AccountCheck {
  readonly findings: readonly Finding[];
  /** Whether Telegram knows the token, so that more can be asked. */
  readonly isKnown: boolean;
}

/** Asks Telegram whose token this is, and what the bot may do. */
export async function checkAccount(api: BotApi, signal: AbortSignal): Promise<AccountCheck> {
  try {
    const me = await api.callApi('getMe', {}, { signal });
    return {
      findings: [well(`Telegram: the token is that of @${me.username}`), ...freedoms(me)],
      isKnown: true,
    };
  } catch (error) {
    return { findings: [refusal(error)], isKnown: false };
  }
}

/** What Telegram's refusal, or its silence, asks for; the same for every method. */
export function refusal(error: unknown): Finding {
  if (error instanceof TelegramError && (error.code === 401 || error.code === 404)) {
    return wrong(
      'Telegram: TELEGRAM_BOT_TOKEN is not known to Telegram',
      'in @BotFather: /mybots, choose the bot, API Token; copy it whole',
    );
  }
  if (error instanceof TelegramError) {
    return wrong(`Telegram: it refuses (${error.code}: ${error.description})`, 'try again in a minute');
  }
  return wrong(
    `Telegram: out of reach (${errorCode(error)})`,
    'see that this machine reaches TELEGRAM_API_ROOT (firewall, DNS, proxy; some countries block Telegram)',
  );
}

function freedoms({ can_join_groups, can_read_all_group_messages, supports_inline_queries }: UserFromGetMe) {
  return [
    can_join_groups
      ? well('Telegram: it may be added to groups')
      : open('Telegram: it cannot be added to groups', 'in @BotFather: /setjoingroups, Enable'),
    can_read_all_group_messages
      ? well('Telegram: privacy mode is off, /listen on works in every group')
      : open(
          'Telegram: privacy mode is on, so /listen on works only where the bot is an admin of the group',
          'to change that, in @BotFather: /setprivacy, Disable; then take the bot out of its groups and add it again',
        ),
    supports_inline_queries
      ? well('Telegram: inline mode is on (@bot text, in any chat)')
      : open('Telegram: inline mode is off, so @bot text does nothing', 'in @BotFather: /setinline'),
  ];
}
