/** The buttons by which somebody asks to be let in, and by which the admins answer (spec §8). */
import {
  deciderOf,
  decisionWords,
  requestAccess,
  showDecision,
  tellLetIn,
} from '../src/telegram/answer/admission.ts';
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
    const { areAdminsTold: hadAsked } = await requestAccess(ctx, 'person');
    await confirm(ctx, hadAsked ? 'access-waits' : 'access-asked');
  },
};

/** The buttons under the request, for each admin. The first press decides; the others are told who decided. */
export const answerAccess: Callback<BotContext> = {
  data: /^access:(let|block):(-?\d{1,16})$/,
  isForAdmins: true,
  handle: async (ctx, [, word, askedAs = '']) => {
    const { access, api } = ctx.bot;
    if (access.isAdmin(askedAs)) return confirm(ctx, 'access-of-admin');
    const by = deciderOf(ctx);
    const answer = async (id: string) => {
      const answered = await access.admissions.answer(id, word === 'let' ? 'member' : 'blocked', by);
      return { id, answered, known: answered ?? (await access.admissions.find(id)) };
    };
    let decision = await answer(askedAs);
    if (decision.known === undefined && askedAs.startsWith('-')) {
      // The group may have become a supergroup, with another id.
      const group = await unlessRefused(api.getChat(Number(askedAs)));
      if (group !== undefined) decision = await answer(String(group.id));
    }
    const { id, answered, known } = decision;
    if (known === undefined || known.standing === 'asking')
      return confirm(ctx, 'access-request-gone', { id });
    // An earlier attempt may have crashed between the decision and its message.
    const isMine = answered !== undefined || known.by === by.name;
    if (isMine && known.mustBeTold) await tellLetIn(ctx, known, id);
    if (isMine && known.standing === 'blocked' && id.startsWith('-'))
      await unlessRefused(api.leaveChat(Number(id)));
    if (isMine) await showDecision(ctx, known, id);
    const [sentence, { args }] = decisionWords(known, id);
    await confirm(ctx, sentence, args);
  },
};
