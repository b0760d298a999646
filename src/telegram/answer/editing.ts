/** Changes what a message of the bot says. */
import { isDeleted, isNotModified, refusesEdit } from '../api/api-errors.ts';
import type { ReceivedContext } from '../context.ts';
import type { EditOutcome } from './answering.ts';

/** Puts this text in the message's place. Throws what no outcome stands for. */
export function editText(
  ctx: ReceivedContext,
  chat: number,
  messageId: number,
  text: string,
  extra: Parameters<ReceivedContext['telegram']['editMessageText']>[4] = {},
): Promise<EditOutcome> {
  return outcomeOf(ctx.telegram.editMessageText(chat, messageId, undefined, text, extra));
}

/** Hangs these buttons under the message, or takes those away that it has. Throws what no outcome stands for. */
export function editButtons(
  ctx: ReceivedContext,
  chat: number,
  messageId: number,
  markup?: Parameters<ReceivedContext['telegram']['editMessageReplyMarkup']>[3],
): Promise<EditOutcome> {
  return outcomeOf(ctx.telegram.editMessageReplyMarkup(chat, messageId, undefined, markup));
}

async function outcomeOf(edit: Promise<unknown>): Promise<EditOutcome> {
  try {
    await edit;
    return 'edited';
  } catch (error) {
    if (isNotModified(error)) return 'edited';
    if (isDeleted(error)) return 'deleted';
    if (refusesEdit(error)) return 'refused';
    throw error;
  }
}
