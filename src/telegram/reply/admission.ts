/** What the bot says when somebody asks to be let in: to them, and to the admins, who decide. */
import type { MessageEntity, User } from 'telegraf/types';
import {
  type Admission,
  type Decided,
  type Decider,
  questionsOf,
  type Subject,
} from '../../store/access/admissions.ts';
import { isOutage, isUnreachable, unlessRefused } from '../api/api-errors.ts';
import type { ReceivedContext } from '../context.ts';
import { languageOf } from '../locale.ts';
import { isStandIn } from '../request/identity.ts';
import { notice } from './answer.ts';
import { type Button, listenButton, markup } from './buttons.ts';

/**
 * Telegram reports everything about a group's access at one moment, in no certain order: that the bot was added, an invitation
 * (`startgroup`), an upgrade. Several lanes handle it. All of it has arrived after this time, in ms.
 */
export const TOLD_WITHIN_MS = 2000;

export function askButton(ctx: ReceivedContext): Button {
  return { text: ctx.words('button-ask-access'), callback_data: 'access:ask' };
}

/** The name of a person, with their @name. */
export function nameOf({ first_name, last_name, username }: Partial<User>): string {
  const name = [first_name, last_name].filter(Boolean).join(' ');
  return username ? `${name} @${username}`.trim() : name;
}

/** The sender of the update, as shown to admins; the chat for an anonymous one. */
export function senderSubject(ctx: ReceivedContext): Subject {
  const { from, language } = ctx;
  if (from === undefined || isStandIn(from.id)) return groupSubject(ctx);
  return { id: String(from.id), name: nameOf(from) || undefined, language };
}

export function groupSubject({ chat, language }: ReceivedContext): Subject {
  const title = 'title' in chat ? chat.title : '';
  const username = 'username' in chat && chat.username ? ` @${chat.username}` : '';
  return { id: String(chat.id), name: `${title}${username}`.trim() || undefined, language };
}

export function deciderOf(ctx: ReceivedContext): Decider {
  const { id, name } = senderSubject(ctx);
  return { id, name: name ?? id };
}

/** Name and id, as far as they are known. */
export function describe({ id, name }: { id: string | null; name: string | null | undefined }): string {
  if (!name) return id ?? '';
  return id === null ? name : `${name} (${id})`;
}

/** Asks the admins once to let in a person, group or channel; tells a group that it waits. Returns the state: by now it may be let in. */
export async function requestAccess(ctx: ReceivedContext, forWhom: 'person' | 'group'): Promise<Admission> {
  const { from, chat, bot } = ctx;
  const { admissions } = bot.access;
  const isForGroup = forWhom === 'group';
  const subject = isForGroup ? groupSubject(ctx) : senderSubject(ctx);
  const admission = await admissions.ask(subject, ctx.update.update_id);
  // Members in several lanes may get here at the same moment: only the update that stored the request tells the admins, also after a crash.
  if (admission.standing !== 'asking' || admission.questions !== null || !admission.isOwn) return admission;
  // A channel's readers need not know.
  if (isForGroup && chat.type !== 'channel') {
    await notice(ctx, 'access-group-waits').catch((error: unknown) => {
      // In a group where the bot may not write, the admins decide all the same.
      if (!isUnreachable(error)) throw error;
    });
  }
  const by = describe(senderSubject(ctx));
  const questions = await bot.alerts.tellAdmins((words) => {
    const args = { name: describe(subject), by, chat: chat.type };
    const text = words(isForGroup ? 'access-request-group' : 'access-request', args);
    // A tap on the name shows the admin who it is, even without an @name.
    const entities: MessageEntity[] =
      from === undefined || isStandIn(from.id)
        ? []
        : [{ type: 'text_mention', offset: text.indexOf(by), length: by.length, user: from }];
    const buttons: Button[] = [
      { text: words('button-let-in'), callback_data: `access:let:${subject.id}`, style: 'success' },
      { text: words('button-block'), callback_data: `access:block:${subject.id}`, style: 'danger' },
    ];
    return { text, extra: { entities, reply_markup: markup([buttons]) } };
  });
  await admissions.noteQuestions(subject.id, questions);
  return admission;
}

/** Tells a person or a group that they are let in; not a channel's readers. Whoever is unreachable finds out by themselves. */
async function tellLetIn(ctx: ReceivedContext, { language }: Admission, id: string): Promise<void> {
  const { api, words, sessions, me, log } = ctx.bot;
  const inLanguage = await languageOf({ id: Number(id), language_code: language ?? undefined }, sessions);
  const isGroup = id.startsWith('-');
  const text = isGroup
    ? words(inLanguage, 'welcome', { username: me.username })
    : words(inLanguage, 'access-let-in');
  const keyboard = isGroup ? [[listenButton(words(inLanguage, 'button-listen'), id)]] : [];
  if (isGroup && (await unlessRefused(api.getChat(Number(id))))?.type === 'channel') return;
  await api.sendMessage(Number(id), text, { reply_markup: markup(keyboard) }).catch((error: unknown) => {
    if (isOutage(error)) throw error;
    log.info({ error }, 'telling somebody that they were let in failed');
  });
}

/** Lets somebody in or blocks them; tells those who asked. Returns the decision that holds: another admin's, if the same came first. */
export async function decideOn(
  ctx: ReceivedContext,
  subject: Subject,
  standing: Decided,
): Promise<Pick<Admission, 'standing' | 'name' | 'by'>> {
  const { admissions } = ctx.bot.access;
  const by = deciderOf(ctx);
  const before = await admissions.find(subject.id);
  const isRepeated = before?.standing === standing && before.id !== null;
  if (!isRepeated) await admissions.decide(subject, standing, by);
  const name = subject.name ?? before?.name ?? null;
  const decision = { standing, name, by: isRepeated ? before.by : by.name };
  // A repeated decision with open questions: an earlier attempt crashed between the decision and its messages.
  const isOpen = before?.standing === 'asking' || before?.questions != null;
  if (before !== undefined && isOpen && decision.by === by.name) {
    const { api, sessions, words } = ctx.bot;
    const [sentence, { args }] = decisionWords(decision, subject.id);
    // In the messages that asked the admins, in place of their buttons.
    for (const { chat, message } of questionsOf(before)) {
      const text = words(await languageOf({ id: chat }, sessions), sentence, args);
      await unlessRefused(api.editMessageText(chat, message, undefined, text));
    }
    if (standing === 'member') await tellLetIn(ctx, before, subject.id);
    await admissions.noteQuestions(subject.id, undefined);
  }
  return decision;
}

/** The sentence for a decision and the admin who made it: a key of `locales/` and its arguments. */
export function decisionWords(
  { standing, name, by }: Pick<Admission, 'standing' | 'name' | 'by'>,
  id: string,
): readonly [string, { readonly args: { name: string; by: string } }] {
  const sentence = standing === 'blocked' ? 'access-blocked-by' : 'access-let-in-by';
  return [sentence, { args: { name: describe({ id, name }), by: by ?? '—' } }];
}
