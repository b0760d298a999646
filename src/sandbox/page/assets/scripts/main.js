/** Starts the page: builds the parts and connects them to the state. */

import { wireAttachMenu } from './attach-menu.js';
import { wireChatList } from './chat-list.js';
import { wireComposer } from './composer.js';
import { wireConversation } from './conversation.js';
import { byId } from './dom.js';
import { wireLightbox } from './lightbox.js';
import { wirePanel } from './panel.js';
import { wirePeople } from './people.js';
import { State } from './state.js';
import { follow } from './stream.js';
import { wireViews } from './views.js';

const state = new State();
const views = wireViews();
const composer = wireComposer(state);
wirePeople(state);
wireChatList(state, (chatId) => {
  state.open(chatId);
  views.openConversation();
  // Where there is no pointer, the focus in a text field calls the keyboard over half of the screen.
  byId(matchMedia('(hover: hover)').matches ? 'composer-input' : 'log').focus();
});
wireConversation(state, composer);
wireAttachMenu(state, composer);
wirePanel(state);
wireLightbox();
follow(state, (isConnected) => {
  byId('app').dataset.connection = isConnected ? 'open' : 'lost';
});
