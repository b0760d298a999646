/** Links to the bot: t.me/bot?start=… asks to start it with a parameter, ?startgroup=… to add it to a group. */
import { act } from './api.js';
import { pickChat } from './chat-picker.js';
import { attempt, toast } from './notices.js';
import { isMember } from './places.js';

/** `{ kind: 'start' | 'startgroup', parameter, isAdmin }` for a link to this bot, else nothing. */
function readBotLink(address, botName) {
  const url = URL.parse(address) ?? URL.parse(`https://${address}`);
  if (url === null) return undefined;
  const isTelegram = /^(www\.)?(t|telegram)\.(me|dog)$/.test(url.hostname);
  const isApp = url.protocol === 'tg:' && `${url.hostname}${url.pathname}`.startsWith('resolve');
  const name = isTelegram ? url.pathname.split('/')[1] : isApp ? url.searchParams.get('domain') : undefined;
  if (name?.toLowerCase() !== botName.toLowerCase()) return undefined;
  const group = url.searchParams.get('startgroup');
  if (group !== null) return { kind: 'startgroup', parameter: group, isAdmin: url.searchParams.has('admin') };
  return { kind: 'start', parameter: url.searchParams.get('start') ?? '' };
}

/** Adds the bot to the group, or makes it an admin there, and starts it there when the link has a parameter. */
async function startInGroup(state, chatId, { parameter, isAdmin }) {
  const { personId, bot } = state;
  const isThere = isAdmin ? state.isAdmin(bot.id, state.chat(chatId)) : isMember(state.chat(chatId), bot.id);
  if (!isThere) {
    const status = isAdmin ? 'administrator' : 'member';
    const added = await attempt(() => act('setMember', { personId, chatId, userId: bot.id, status }));
    if (added === undefined) return;
  }
  state.open(chatId);
  if (parameter === '') return;
  await attempt(() => act('sendText', { personId, chatId, text: `/start@${bot.username} ${parameter}` }));
}

/** Follows a link inside of the sandbox; false when it leads elsewhere. `onOpen` shows the conversation. */
export function followBotLink(address, state, onOpen) {
  const link = readBotLink(address, state.bot.username);
  if (link === undefined) return false;
  if (link.kind === 'startgroup') {
    const groups = state
      .chatsOf(state.personId)
      .filter((chat) => chat.type !== 'private' && (!link.isAdmin || state.isAdmin(state.personId, chat)));
    if (groups.length === 0) toast(`You are ${link.isAdmin ? 'an admin of' : 'in'} no group yet`);
    else
      pickChat(`Add ${state.bot.first_name} to`, groups, state, (chatId) => {
        onOpen();
        startInGroup(state, chatId, link);
      });
    return true;
  }
  onOpen();
  state.open(state.personId);
  state.askToStart(link.parameter);
  return true;
}

/** Lets every pressed link of the page that leads to the bot stay in the sandbox. */
export function wireBotLinks(state, onOpen) {
  document.addEventListener('click', (event) => {
    const link = event.target.closest?.('a[href]');
    if (link !== null && link !== undefined && followBotLink(link.href, state, onOpen))
      event.preventDefault();
  });
}
