/** "More" under a translation in a group that the bot listens to: shows the buttons that other translations have from the start. */
import { markup, translationButtons } from '../src/telegram/answer/buttons.ts';
import { editButtons } from '../src/telegram/outbox/editing.ts';
import { textButton } from './text-button.ts';

export const more = textButton('more', async (ctx, { text, message, whole }) => {
  await editButtons(ctx, message.chat.id, message.message_id, markup(translationButtons(ctx)(text, whole)));
});
