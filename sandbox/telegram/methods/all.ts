/** Every Bot API method that the local Telegram serves. */
import type { Methods } from '../method.ts';
import { albumMethods } from './albums.ts';
import { callbackMethods } from './callbacks.ts';
import { chatMethods } from './chats.ts';
import { commandMethods } from './commands.ts';
import { deletingMethods } from './deleting.ts';
import { editingMethods } from './editing.ts';
import { ephemeralMethods } from './ephemeral.ts';
import { fileMethods } from './files.ts';
import { forwardingMethods } from './forwarding.ts';
import { inlineMethods } from './inline.ts';
import { mediaMethods } from './media.ts';
import { profileMethods } from './profile.ts';
import { reactionMethods } from './reactions.ts';
import { textMethods } from './text.ts';
import { updateMethods } from './updates.ts';

export const allMethods: Methods = {
  ...updateMethods,
  ...textMethods,
  ...mediaMethods,
  ...albumMethods,
  ...editingMethods,
  ...deletingMethods,
  ...ephemeralMethods,
  ...forwardingMethods,
  ...callbackMethods,
  ...inlineMethods,
  ...reactionMethods,
  ...chatMethods,
  ...commandMethods,
  ...fileMethods,
  ...profileMethods,
};
