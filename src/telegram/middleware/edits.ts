/** When a person edits a message, the bot edits its answer (spec §2). Edits of messages that it never answered are ignored. */
import { UNKNOWN_MESSAGE_ID } from '../api/api.ts';
import { type EditOutcome, isRefusal, isUnreachable } from '../api/api-errors.ts';
import type { ReceivedContext } from '../context.ts';
import { notice } from '../outbox/answer.ts';
import { editButtons } from '../outbox/editing.ts';
import { hasFile } from '../request/parsed-message.ts';

/**
 * Removes the buttons of the former answer, which act on the old text. This also shows, before any paid call, which of its messages still
 * exist; a message that can no longer be edited is sent again. False if somebody has deleted all of them: the edit ends here.
 */
export async function hasAnswerLeft(ctx: ReceivedContext): Promise<boolean> {
  const { outbox } = ctx;
  const { former } = outbox;
  // An earlier attempt has done this, and has put new buttons under its answer.
  if (former.length === 0 || outbox.isPartlyAnswered) return true;
  const outcomes = new Map(
    await Promise.all(
      former.map(
        async ({ id }) => [id, id === UNKNOWN_MESSAGE_ID ? 'refused' : await takeButtons(ctx, id)] as const,
      ),
    ),
  );
  outbox.keepFormer(({ id }) => outcomes.get(id));
  return outbox.former.length > 0;
}

/** Ignores other refusals: editing the answer will meet them again. */
async function takeButtons(ctx: ReceivedContext, messageId: number): Promise<EditOutcome> {
  try {
    return await editButtons(ctx, ctx.chat.id, messageId);
  } catch (error) {
    if (!isRefusal(error) || isUnreachable(error)) throw error;
    return 'edited';
  }
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
