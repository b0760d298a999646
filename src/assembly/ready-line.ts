/** What the bot says of itself in the log once it takes updates: one line that a person reads at a glance. */
import type { Config } from '../config.ts';
import { isOnThisMachine } from '../loopback.ts';

/** Name, release, how updates come, where it keeps things, and the limits of a day; no address and no secret. */
export function readyLine(
  config: Config,
  bot: { readonly username: string; readonly version: string },
): string {
  const parts = [
    `@${bot.username} is ready`,
    `Lotsawa ${bot.version}`,
    config.webhook === undefined ? 'long polling' : 'webhook',
    config.database.engine === 'sqlite' ? 'SQLite' : 'PostgreSQL',
    limitsOf(config.limits),
  ];
  if (isSandbox(config)) parts.push('SANDBOX: Telegram and the service are on this machine');
  return parts.join(' · ');
}

function limitsOf({ callsPerUser, callsPerGroup, budgetYuan }: Config['limits']): string {
  const perDay = (calls: number) => (Number.isFinite(calls) ? String(calls) : 'no limit');
  const budget = Number.isFinite(budgetYuan) ? `${budgetYuan} yuan` : 'no budget';
  return `a day: ${perDay(callsPerUser)} calls a person, ${perDay(callsPerGroup)} a group, ${budget} in all`;
}

/** Nothing that it talks to is elsewhere. A Bot API server of one's own may be local, too; the paid service is not. */
function isSandbox({ telegram, service }: Config): boolean {
  return [telegram.apiRoot, service.authUrl, service.baseUrl].every((address) =>
    isOnThisMachine(new URL(address)),
  );
}
