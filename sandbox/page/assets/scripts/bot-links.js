/** Links to the bot: t.me/bot?start=… asks to start it with a parameter, ?startgroup=… to add it to a group. */
import { act } from './api.js';
import { pickChat } from './chat-picker.js';
import { attempt, toast } from './notices.js';
import { isMember } from './places.js';

/** `{ kind: 'start' | 'startgroup', parameter }` for a link to this bot, else nothing. */
function readBotLink(address, botName) {
  const url = URL.parse(address) ?? URL.parse(`https://${address}`);
  if (url === null) return undefined;
  const isTelegram = /^(www\.)?(t|telegram)\.(me|dog)$/.test(url.hostname);
  const isApp = url.protocol === 'tg:' && `${url.hostname}${url.pathname}`.startsWith('resolve');
  const name = isTelegram ? url.pathname.split('/')[1] : isApp ? url.searchParams.get('domain') : undefined;
  if (name?.toLowerCase() !== botName.toLowerCase()) return undefined;
  const group = url.searchParams.get('startgroup');
  if (group !== null) return { kind: 'startgroup', parameter: group };
  return { kind: 'start', parameter: url.searchParams.get('start') ?? '' };
}

/** Adds the bot to the group, if it is not there, and starts it there when the link has a parameter. */
async function startInGroup(state, chatId, parameter) {
  const { personId } = state;
  const { bot } = state;
  if (!isMember(state.chat(chatId), bot.id)) {
    const added = await attempt(() =>
      act('setMember', { personId, chatId, userId: bot.id, status: 'member' }),
    );
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
    const groups = state.chatsOf(state.personId).filter(({ type }) => type !== 'private');
    if (groups.length === 0) toast('You are in no group yet');
    else
      pickChat(`Add ${state.bot.first_name} to`, groups, state, (chatId) => {
        onOpen();
        startInGroup(state, chatId, link.parameter);
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
