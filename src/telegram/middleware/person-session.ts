/** Hands each update on with the session of its person, and keeps what becomes of it. */
import type { Middleware, MiddlewareFn } from 'telegraf';
import { interfaceLanguage } from '../../language/interface-language.ts';
import { newPersonSession, type PersonSessions } from '../../store/kept/sessions.ts';
import type { BotContext, ReceivedContext } from '../context.ts';

/**
 * In place of Telegraf's middleware, which keeps a read that failed: while the process lives it would fail again for that person.
 * A session that was not changed is not written. Throws `database` when the database does not answer.
 */
export function remembersPerson(
  sessions: PersonSessions,
  handle: MiddlewareFn<BotContext>,
): Middleware<ReceivedContext> {
  return async (ctx, next) => {
    const { person } = ctx;
    const session = (await sessions.get(person)) ?? newPersonSession();
    const told = interfaceLanguage(ctx.from?.language_code);
    if (ctx.bot.access.isAdmin(person) && session.telegramLanguage !== told) {
      session.telegramLanguage = told;
      // At once: this very update may be the one that an alert comes of.
      await sessions.set(person, session);
    }
    // What was asked for since an edited message decides what /speak speaks: its edit leaves the session as it was.
    if (ctx.edit === 'afterthought') {
      await handle(Object.assign(ctx, { session }), next);
      return;
    }
    const before = JSON.stringify(session);
    try {
      await handle(Object.assign(ctx, { session }), next);
    } finally {
      const after = ctx.session;
      if (after === undefined) await sessions.delete(person);
      else if (JSON.stringify(after) !== before) await sessions.set(person, after);
    }
  };
}
