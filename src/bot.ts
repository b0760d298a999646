/** What people can ask of the bot, and the order in which a request passes middleware and handlers. */
import { allow, answerAccess, askAccess, block } from '../handlers/admission.ts';
import { anythingElse } from '../handlers/anything-else.ts';
import { cancel } from '../handlers/cancel.ts';
import { guest } from '../handlers/guest.ts';
import { help } from '../handlers/help.ts';
import { listen } from '../handlers/listen.ts';
import { members } from '../handlers/members.ts';
import { invite, membership } from '../handlers/membership.ts';
import { ocr, readAgain, sentFiles } from '../handlers/ocr.ts';
import { answerCost, tryAgain } from '../handlers/parked.ts';
import { pause, resume, tryNow } from '../handlers/pause.ts';
import { forget, privacy } from '../handlers/privacy.ts';
import { dialect, lang, settings, voice } from '../handlers/settings.ts';
import { speak } from '../handlers/speak.ts';
import { phonetics, wylie } from '../handlers/spelling.ts';
import { start } from '../handlers/start.ts';
import { stats } from '../handlers/stats.ts';
import { text } from '../handlers/text.ts';
import {
  auto,
  captionButton,
  chinese,
  more,
  tibetan,
  translate,
  translateButton,
} from '../handlers/translate.ts';
import { quota, usage } from '../handlers/usage.ts';
import type { QueueHandler } from './queue/queue.ts';
import type { Outcome } from './queue/request-table.ts';
import { type BotContext, type HandlerDeps, ReceivedContext } from './telegram/context.ts';
import { handleGuest } from './telegram/inline/guest-mode.ts';
import { isAddressed, isAdmitted, isPermitted } from './telegram/middleware/addressed.ts';
import { NoticeLimit, tellFailure } from './telegram/middleware/failure-boundary.ts';
import { deletePassingOrder, removeFormerAnswer } from './telegram/middleware/leftovers.ts';
import { withSession } from './telegram/middleware/person-session.ts';
import { stopUnwantedWork } from './telegram/middleware/running-work.ts';
import type { Command, Vocabulary } from './telegram/request/command.ts';
import { albumOf, digestOf } from './telegram/request/request.ts';
import { parseUpdate } from './telegram/request/update.ts';

/** In the order of the menus: the most used first. */
const COMMANDS: readonly Command<BotContext>[] = [
  translate,
  speak,
  ocr,
  wylie,
  phonetics,
  settings,
  usage,
  cancel,
  help,
  privacy,
  forget,
  lang,
  dialect,
  voice,
  listen,
  quota,
  stats,
  members,
  invite,
  allow,
  block,
  pause,
  resume,
  tibetan,
  chinese,
  auto,
  start,
];

export const VOCABULARY: Vocabulary<BotContext> = {
  commands: COMMANDS,
  callbacks: [
    ...COMMANDS.flatMap(({ callbacks = [] }) => callbacks),
    translateButton,
    captionButton,
    more,
    readAgain,
    tryAgain,
    answerCost,
    tryNow,
    askAccess,
    answerAccess,
  ],
};

/** Makes the queue's handler. It throws only errors that the person could not be told. */
export function createBot(bot: HandlerDeps): QueueHandler {
  const notices = new NoticeLimit();

  const received = async (ctx: ReceivedContext): Promise<void> => {
    const { intent } = ctx;
    if (intent.kind === 'upgrade') return bot.groups.upgrade(String(intent.from), String(intent.to));
    if (intent.kind === 'membership') return membership(ctx, intent.change);
    if (await isAddressed(ctx)) await withSession(ctx, addressed);
  };

  const addressed = async (ctx: BotContext): Promise<void> => {
    if (!(await isAdmitted(ctx, notices))) return;
    if (!ctx.isOverheard) ctx.outbox.progress.show('typing');
    await stopUnwantedWork(ctx, handle);
  };

  return async (work) => {
    const parsed = work.bodies.map(parseUpdate);
    const [first] = parsed;
    if (first?.kind === 'guest') return handleGuest(bot, work, first.message, guest);
    if (first?.kind !== 'request') return { state: 'done', sent: [] };
    const ctx = new ReceivedContext(first.update, albumOf(parsed, bot), work, bot);
    if (ctx.edit !== 'idle') {
      try {
        await received(ctx);
      } catch (error) {
        await tellFailure(ctx, notices, error);
      } finally {
        ctx.outbox.progress.end();
      }
      await ctx.outbox.progress.remove();
      if (ctx.outbox.former.length > 0) await removeFormerAnswer(ctx);
    }
    if (ctx.chat.type === 'channel') deletePassingOrder(ctx);
    return outcomeOf(ctx);
  };
}

/** Returns how a request ended: its answers, and a hash of what they answer, or of what was cancelled, for a later edit. */
function outcomeOf(ctx: ReceivedContext): Outcome {
  const { outbox, ending, message, work } = ctx;
  const before = ctx.edit === 'changed' ? UNANSWERED : work.request.digest;
  const isSettled = message !== undefined && (outbox.given > 0 || ending.isStopped === true);
  const digest = isSettled ? digestOf(ctx.album, ctx.isOverheard) : before;
  return { ...ending, sent: outbox.shown, digest };
}

/** Equals no content, so that the next edit of the message is answered in any case. */
const UNANSWERED = '';

async function handle(ctx: BotContext): Promise<void> {
  if (!(await isPermitted(ctx))) return;
  const { intent } = ctx;
  switch (intent.kind) {
    case 'command':
      return intent.command === undefined ? anythingElse(ctx) : intent.command.handle(ctx, intent.payload);
    case 'callback':
      return intent.matched?.callback.handle(ctx, intent.matched.match);
    case 'files':
      return sentFiles(ctx);
    case 'text':
      return text(ctx);
    default:
      return anythingElse(ctx);
  }
}
