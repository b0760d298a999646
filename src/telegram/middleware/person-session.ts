/** Reads the session of each request's person, and stores its changes. */
import { isDeepStrictEqual } from 'node:util';
import { type InterfaceLanguage, interfaceLanguage } from '../../language/interface-language.ts';
import type { PersonSession } from '../../store/kept/sessions.ts';
import { unlessRefused } from '../api/api-errors.ts';
import type { BotContext, ReceivedContext } from '../context.ts';
import { languageOf } from '../locale.ts';

/**
 * Runs the work with the session of the request's person, and stores what it changes. Throws `database` if the database is unreachable.
 * Telegraf's middleware caches a failed read: every later request of that person would fail until a restart.
 */
export async function withSession(
  ctx: ReceivedContext,
  work: (ctx: BotContext) => Promise<void>,
): Promise<void> {
  const { bot, person } = ctx;
  const { sessions } = bot;
  const session = await sessions.get(person);
  const told = interfaceLanguage(ctx.from?.language_code);
  if (bot.access.isAdmin(person) && session.telegramLanguage !== told) {
    session.telegramLanguage = told;
    // Store it at once: this very request may raise an alert.
    await sessions.set(person, session);
  }
  const before = structuredClone(session);
  // Ordered in a chat's own name: in a channel, or by an anonymous admin.
  const isOfChat = !ctx.isPrivate && person === String(ctx.chat.id) && ctx.intent.kind !== 'text';
  if (isOfChat) session.interfaceLanguage ??= await ownersLanguage(ctx);
  try {
    await work(Object.assign(ctx, { session }));
  } finally {
    const after = ctx.session;
    if (!isDeepStrictEqual(after, before)) {
      // Another process may have carried out this request, and the person's next ones.
      await bot.queue.mustStillOwn(ctx.work);
      if (after === undefined) await sessions.delete(person);
      else if (!ctx.work.hasLeftLane) await sessions.set(person, after);
      // It waited while others of the person's requests ran, perhaps /forget.
      else if (await bot.requests.isOwned(ctx.work.request.id))
        await sessions.set(person, await merged(ctx, before, after));
    }
  }
}

/** The session as others of the person's requests have left it meanwhile, with what this one has changed. */
async function merged(
  { bot, person }: ReceivedContext,
  before: PersonSession,
  after: PersonSession,
): Promise<PersonSession> {
  const isChanged = ([name, value]: [string, unknown]) =>
    !isDeepStrictEqual(value, Object.entries(before).find(([other]) => other === name)?.[1]);
  const changes = Object.fromEntries(Object.entries(after).filter(isChanged));
  return { ...(await bot.sessions.get(person)), ...changes };
}

/** A chat's language before it has chosen one: its owner's. Undefined if Telegram does not name the owner. */
async function ownersLanguage({ bot, chat }: ReceivedContext): Promise<InterfaceLanguage | undefined> {
  const admins = await unlessRefused(bot.api.getChatAdministrators(chat.id));
  const owner = admins?.find(({ status }) => status === 'creator');
  return owner && languageOf(owner.user, bot.sessions);
}
