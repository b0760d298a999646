/** Starts the page: builds the parts and connects them to the state. */
import { wireAttachMenu } from './attach-menu.js';
import { wireBotLinks } from './bot-links.js';
import { wireChatHeader } from './chat-header.js';
import { openChatInfo } from './chat-info.js';
import { wireChatList } from './chat-list.js';
import { wireComposer } from './composer.js';
import { wireComposerBar } from './composer-bar.js';
import { wireConversation } from './conversation.js';
import { byId } from './dom.js';
import { wireLightbox } from './lightbox.js';
import { askForGroup } from './new-group.js';
import { wirePanel } from './panel.js';
import { wirePeople } from './people.js';
import { wireSheet } from './sheet.js';
import { State } from './state.js';
import { follow } from './stream.js';
import { wireTopics } from './topics.js';
import { wireViews } from './views.js';

const state = new State();
const views = wireViews();
const composer = wireComposer(state, views.openConversation);
const showChat = (chatId) => {
  // First, since only what is in sight can be scrolled.
  views.openConversation();
  state.open(chatId);
  // Where there is no pointer, the focus in a text field calls the keyboard over half of the screen.
  byId(matchMedia('(hover: hover)').matches ? 'composer-input' : 'log').focus();
};
wirePeople(state);
wireChatList(state, showChat);
wireChatHeader(state);
wireConversation(state, composer, views.openConversation);
wireTopics(state);
wireComposerBar(state, composer);
wireAttachMenu(state, composer);
wirePanel(state);
wireLightbox();
wireSheet(state);
wireBotLinks(state, views.openConversation);
byId('chat-info').addEventListener('click', () => openChatInfo(state, views.openConversation));
byId('new-group').addEventListener('click', () => askForGroup(state, showChat));
follow(state, (isConnected) => state.setConnected(isConnected));
