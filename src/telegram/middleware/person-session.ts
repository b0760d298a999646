/** Reads the session of each request's person, and stores its changes. */
import { isDeepStrictEqual } from 'node:util';
import type { Middleware, MiddlewareFn } from 'telegraf';
import { interfaceLanguage } from '../../language/interface-language.ts';
import { newPersonSession, type PersonSessions } from '../../store/kept/sessions.ts';
import type { BotContext, ReceivedContext } from '../context.ts';

/**
 * Replaces Telegraf's middleware, which caches a failed read: it would fail for that person as long as the process lives.
 * An unchanged session is not written. Throws `database` if the database does not answer.
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
      // Stored at once: this very update may raise an alert.
      await sessions.set(person, session);
    }
    // An edit of an older message leaves the session as it was: /speak speaks the latest text.
    if (ctx.edit === 'afterthought') {
      await handle(Object.assign(ctx, { session }), next);
      return;
    }
    const before = structuredClone(session);
    try {
      await handle(Object.assign(ctx, { session }), next);
    } finally {
      const after = ctx.session;
      if (after === undefined) await sessions.delete(person);
      else if (!isDeepStrictEqual(after, before)) await sessions.set(person, after);
    }
  };
}
