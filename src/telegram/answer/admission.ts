/** What is said when somebody asks to be let in: to them, and to the admins, who decide (spec §8). */
import type { MessageEntity, User } from 'telegraf/types';
import { type InterfaceLanguage, interfaceLanguage } from '../../language/interface-language.ts';
import type { Admission, Decider, Subject } from '../../store/access/admissions.ts';
import { isOutage, isUnreachable } from '../api/api-errors.ts';
import type { ReceivedContext } from '../context.ts';
import { isStandIn } from '../request/identity.ts';
import { type Button, markup } from './buttons.ts';
import { notice } from './sending.ts';

/**
 * What concerns a group's access Telegram tells at one moment, in no certain order, and it is handled in several lanes: that the bot is in
 * the group, an invitation (`startgroup`), an upgrade; in ms.
 */
export const TOLD_WITHIN_MS = 2000;

/** Under the words for a stranger. */
export function askButton(ctx: ReceivedContext): Button {
  return { text: ctx.words('button-ask-access'), callback_data: 'access:ask' };
}

/** The name of a person, with their @name: as people know them, and as they can be written to. */
export function nameOf({ first_name, last_name, username }: Partial<User>): string {
  const name = [first_name, last_name].filter(Boolean).join(' ');
  return username ? `${name} @${username}`.trim() : name;
}

/** Who has sent the update, as the admins are to know them. */
export function senderSubject({ from, chat, language }: ReceivedContext): Subject {
  if (from === undefined || isStandIn(from.id)) return chatSubject(chat, language);
  return { id: String(from.id), name: nameOf(from) || undefined, language };
}

/** The group of the update, as the admins are to know it. */
export function groupSubject({ chat, language }: ReceivedContext): Subject {
  return chatSubject(chat, language);
}

function chatSubject(chat: ReceivedContext['chat'], language: InterfaceLanguage): Subject {
  const title = 'title' in chat ? chat.title : '';
  const username = 'username' in chat && chat.username ? ` @${chat.username}` : '';
  return { id: String(chat.id), name: `${title}${username}`.trim() || undefined, language };
}

/** Who decides by this update. */
export function deciderOf(ctx: ReceivedContext): Decider {
  const { id, name } = senderSubject(ctx);
  return { id, name: name ?? id };
}

/** Name and number, as far as they are known. */
export function describe({ id, name }: { id: string | undefined; name: string | undefined }): string {
  if (name === undefined) return id ?? '';
  return id === undefined ? name : `${name} (${id})`;
}

/** A person asks: the admins are told, once, however often that is pressed. Gives what they are by now. */
export async function personAsks(ctx: ReceivedContext): Promise<Admission> {
  const { access } = ctx.bot;
  const subject = senderSubject(ctx);
  const { admission } = await access.admissions.ask(subject, ctx.update.update_id);
  if (admission.standing !== 'asking' || admission.isTold) return admission;
  await tellAdmins(ctx, subject, 'access-request', { name: describe(subject) });
  await access.admissions.noteTold(subject.id);
  return admission;
}

/**
 * A group that nobody has let in is told once that it waits, and the admins who it is and who has asked there. Gives what the group is by
 * now: it may just have been let in.
 */
export async function groupAsks(ctx: ReceivedContext): Promise<Admission> {
  const { access } = ctx.bot;
  const subject = groupSubject(ctx);
  const { admission, isOwn } = await access.admissions.ask(subject, ctx.update.update_id);
  // Members in several lanes may find the group at the same moment: the one who wrote it down tells, also after a crash.
  if (admission.standing !== 'asking' || admission.isTold || !isOwn) return admission;
  await notice(ctx, 'access-group-waits').catch((error: unknown) => {
    // As in a channel where the bot may not write: the admins decide all the same.
    if (!isUnreachable(error)) throw error;
  });
  const by = describe(senderSubject(ctx));
  await tellAdmins(ctx, subject, 'access-request-group', { name: describe(subject), by });
  await access.admissions.noteTold(subject.id);
  return admission;
}

async function tellAdmins(
  ctx: ReceivedContext,
  { id }: Subject,
  sentence: string,
  args: Record<string, string>,
): Promise<void> {
  const { from } = ctx;
  const shown = args.by ?? args.name ?? '';
  await ctx.bot.tellAdmins((words) => {
    const text = words(sentence, args);
    // By a touch an admin sees who it is, also of one without an @name.
    const entities: MessageEntity[] =
      from === undefined || isStandIn(from.id)
        ? []
        : [{ type: 'text_mention', offset: text.indexOf(shown), length: shown.length, user: from }];
    const buttons = [
      { text: words('button-let-in'), callback_data: `access:let:${id}` },
      { text: words('button-block'), callback_data: `access:block:${id}` },
    ];
    return { text, extra: { entities, reply_markup: markup([buttons]) } };
  });
}

/** Tells those who have asked that they are let in; whoever cannot be reached finds out by themselves. */
export async function tellLetIn(ctx: ReceivedContext, { language }: Admission, id: string): Promise<void> {
  const { access, api, words, sessions, me, log } = ctx.bot;
  const session = await sessions.get(id).catch(() => undefined);
  const inLanguage = session?.interfaceLanguage ?? interfaceLanguage(language);
  const text = id.startsWith('-')
    ? words(inLanguage, 'welcome', { username: me.username })
    : words(inLanguage, 'access-let-in');
  await api.sendMessage(Number(id), text).catch((error: unknown) => {
    if (isOutage(error)) throw error;
    log.info({ error }, 'who was let in could not be told');
  });
  await access.admissions.noteHeard(id);
}

/** What was decided on somebody and by whom, as a key of `locales/` and what fills its places. */
export function decisionWords(
  { standing, name, by = '—' }: Pick<Admission, 'standing' | 'name' | 'by'>,
  id: string,
): readonly [string, { readonly args: { name: string; by: string } }] {
  const sentence = standing === 'blocked' ? 'access-blocked-by' : 'access-let-in-by';
  return [sentence, { args: { name: describe({ id, name }), by } }];
}
