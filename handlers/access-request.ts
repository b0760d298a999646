/** The buttons by which somebody asks to be let in, and by which the admins answer (spec §8). */
import { decideOn, deciderOf, decisionWords, requestAccess } from '../src/telegram/answer/admission.ts';
import { unlessRefused } from '../src/telegram/api/api-errors.ts';
import type { BotContext } from '../src/telegram/context.ts';
import { confirm } from '../src/telegram/outbox/answer.ts';
import type { Callback } from '../src/telegram/request/callback.ts';

/** The button in the reply to a stranger. */
export const askAccess: Callback<BotContext> = {
  data: /^access:ask$/,
  isForStrangers: true,
  handle: async (ctx) => {
    const verdict = await ctx.bot.access.verdict(ctx.asker);
    if (verdict === 'in') return confirm(ctx, 'access-let-in');
    const { questions } = await requestAccess(ctx, 'person');
    await confirm(ctx, questions === null ? 'access-asked' : 'access-waits');
  },
};

/** The buttons under the request, for each admin. The first press decides; the others are told who decided. */
export const answerAccess: Callback<BotContext> = {
  data: /^access:(let|block):(-?\d{1,16})$/,
  isForAdmins: true,
  handle: async (ctx, [, word, askedAs = '']) => {
    const { access, api } = ctx.bot;
    if (access.isAdmin(askedAs)) return confirm(ctx, 'access-of-admin');
    let known = await access.admissions.find(askedAs);
    if (known === undefined && askedAs.startsWith('-')) {
      // The group may have become a supergroup, with another id.
      const group = await unlessRefused(api.getChat(Number(askedAs)));
      known = group && (await access.admissions.find(String(group.id)));
    }
    if (known == null || known.id === null) return confirm(ctx, 'access-request-gone', { id: askedAs });
    const { id } = known;
    const isMine = known.standing === 'asking' || known.by === deciderOf(ctx).name;
    const standing = word === 'let' ? 'member' : 'blocked';
    const decision = isMine ? await decideOn(ctx, { id, name: undefined }, standing) : known;
    if (isMine && standing === 'blocked' && id.startsWith('-'))
      await unlessRefused(api.leaveChat(Number(id)));
    const [sentence, { args }] = decisionWords(decision, id);
    await confirm(ctx, sentence, args);
  },
};
