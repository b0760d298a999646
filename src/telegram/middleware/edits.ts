/** When a person edits a message, the bot edits its answer (spec §2). Edits of messages that it never answered are ignored. */
import { UNKNOWN_MESSAGE_ID } from '../api/api.ts';
import { type EditOutcome, isRefusal, isUnreachable } from '../api/api-errors.ts';
import type { ReceivedContext } from '../context.ts';
import { notice } from '../outbox/answer.ts';
import { editButtons } from '../outbox/editing.ts';
import type { GivenAnswer } from '../outbox/outbox.ts';
import { hasFile } from '../request/parsed-message.ts';

/**
 * Removes the buttons of the former answer, which act on the old text. This also shows, before any paid call, which of its messages still
 * exist; a message that can no longer be edited is sent again. False if somebody has deleted all of them: the edit ends here.
 */
export async function hasAnswerLeft(ctx: ReceivedContext): Promise<boolean> {
  const { outbox } = ctx;
  // An earlier attempt has done this, and has put new buttons under its answer.
  if (outbox.former.length === 0 || outbox.isPartlyAnswered) return true;
  const left = await Promise.all(outbox.former.map((one) => withoutButtons(ctx, one)));
  outbox.former = left.flatMap((one) => one ?? []);
  return outbox.former.length > 0;
}

/** Undefined if somebody has deleted it. Ignores other refusals: editing the answer will meet them again. */
async function withoutButtons(ctx: ReceivedContext, answer: GivenAnswer): Promise<GivenAnswer | undefined> {
  const edit = (): Promise<EditOutcome> =>
    editButtons(ctx, ctx.chat.id, answer.id).catch((error: unknown) => {
      if (!isRefusal(error) || isUnreachable(error)) throw error;
      return 'edited';
    });
  const outcome = answer.id === UNKNOWN_MESSAGE_ID ? 'refused' : await edit();
  if (outcome === 'deleted') return undefined;
  // It will only be deleted.
  return outcome === 'refused' && answer.kind === 'text' ? { ...answer, kind: 'media' } : answer;
}

/** Marks the former answer as outdated if the edited message gets no new one, so that it does not pass for an answer to the new text. */
export async function markOutdatedAnswer(ctx: ReceivedContext): Promise<void> {
  const { former, given } = ctx.outbox;
  const isUnanswered = !ctx.isSuperseded && former.length > 0 && given.length === 0;
  const isOfFile = ctx.part !== undefined && hasFile(ctx.part) && !ctx.isOverheard;
  if (isUnanswered && !isOfFile) await notice(ctx, 'answer-outdated');
}

/** Deletes messages of the former answer that the new one does not replace. Somebody may have deleted them already. */
export async function removeLeftOver({ bot, chat, outbox }: ReceivedContext): Promise<void> {
  if (!outbox.isAnswered) return;
  for (const { id } of outbox.former) {
    await bot.api.deleteMessage(chat.id, id).catch((error: unknown) => {
      bot.log.debug({ error }, 'deleting a part of an earlier answer failed');
    });
  }
}
