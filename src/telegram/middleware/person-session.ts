/** Reads the session of each request's person, and stores its changes. */
import { isDeepStrictEqual } from 'node:util';
import type { Middleware, MiddlewareFn } from 'telegraf';
import { type InterfaceLanguage, interfaceLanguage } from '../../language/interface-language.ts';
import { newPersonSession, type PersonSessions } from '../../store/kept/sessions.ts';
import { unlessRefused } from '../api/api-errors.ts';
import type { BotContext, ReceivedContext } from '../context.ts';
import { languageOf } from '../locale.ts';

/**
 * Replaces Telegraf's middleware, which caches a failed read: every later request of that person would fail until a restart. An unchanged
 * session is not written. Throws `database` if the database is unreachable.
 */
export function withSession(
  sessions: PersonSessions,
  handle: MiddlewareFn<BotContext>,
): Middleware<ReceivedContext> {
  return async (ctx, next) => {
    const { person } = ctx;
    const session = (await sessions.get(person)) ?? newPersonSession();
    const told = interfaceLanguage(ctx.from?.language_code);
    if (ctx.bot.access.isAdmin(person) && session.telegramLanguage !== told) {
      session.telegramLanguage = told;
      // Store it at once: this very update may raise an alert.
      await sessions.set(person, session);
    }
    const before = structuredClone(session);
    if (session.interfaceLanguage === undefined && isOrderOfChat(ctx))
      session.interfaceLanguage = await ownersLanguage(ctx, sessions);
    try {
      await handle(Object.assign(ctx, { session }), next);
    } finally {
      const after = ctx.session;
      if (after === undefined) await sessions.delete(person);
      else if (!isDeepStrictEqual(after, before)) await sessions.set(person, after);
    }
  };
}

/** Whether something is ordered in a chat's own name: in a channel, or by an anonymous admin. */
function isOrderOfChat({ person, chat, intent, isPrivate }: ReceivedContext): boolean {
  return !isPrivate && person === String(chat.id) && intent.kind !== 'text';
}

/** A chat's language before it has chosen one: its owner's. Undefined if Telegram does not name the owner. */
async function ownersLanguage(
  { bot, chat }: ReceivedContext,
  sessions: PersonSessions,
): Promise<InterfaceLanguage | undefined> {
  const admins = await unlessRefused(bot.api.getChatAdministrators(chat.id));
  const owner = admins?.find(({ status }) => status === 'creator');
  return owner && languageOf(owner.user, sessions);
}
