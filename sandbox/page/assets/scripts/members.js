/** Who is in a group: their part in it, to be changed by its admins, and who could be added. */
import { act } from './api.js';
import { element, icon } from './dom.js';
import { botAvatar, languageName, personAvatar, personName } from './names.js';
import { attempt } from './notices.js';
import { textNodes } from './script-runs.js';
import { infoSection } from './sheet-parts.js';

const ROLES = [
  ['member', 'member'],
  ['administrator', 'admin'],
  ['left', 'remove'],
];

function account(state, id) {
  const isBot = id === state.bot.id;
  const user = isBot ? state.bot : state.person(id);
  const name = id === state.personId ? `${personName(user)} (you)` : personName(user);
  return [
    isBot ? botAvatar() : personAvatar(user),
    element(
      'span',
      { class: 'row-name' },
      element('span', {}, textNodes(name)),
      element('span', { class: 'hint' }, isBot ? 'bot' : textNodes(languageName(user))),
    ),
  ];
}

const set = (state, userId, status) =>
  attempt(() => act('setMember', { personId: state.personId, chatId: state.chatId, userId, status }));

/** The member's part: a choice for admins, a badge for others. */
function role(state, member) {
  const { status, isAnonymous } = member;
  const word = status === 'creator' ? 'owner' : status === 'administrator' ? 'admin' : '';
  if (status === 'creator' || !state.isAdmin() || member.id === state.personId)
    return element('span', { class: 'role' }, isAnonymous ? `anonymous ${word}` : word);
  return element(
    'select',
    {
      class: 'role-choice',
      'aria-label': 'Part in the group',
      'data-testid': 'role',
      'data-key': `role-${member.id}`,
      onchange: ({ currentTarget }) => set(state, member.id, currentTarget.value),
    },
    ROLES.map(([value, label]) => element('option', { value, selected: value === status }, label)),
  );
}

function memberRow(state, member) {
  return element(
    'li',
    { class: 'row', 'data-testid': 'member', 'data-member-id': member.id },
    account(state, member.id),
    role(state, member),
  );
}

function addRow(state, id) {
  return element(
    'li',
    {},
    element(
      'button',
      {
        type: 'button',
        class: 'row',
        'data-testid': 'add-member',
        'data-member-id': id,
        onclick: () => set(state, id, 'member'),
      },
      account(state, id),
      element('span', { class: 'add' }, icon('plus'), 'Add'),
    ),
  );
}

/** The members of the open group, with what the acting person may change about them. */
export function membersSection(state) {
  const { members } = state.chat();
  const everyone = [state.bot, ...state.people].map(({ id }) => id);
  const absent = everyone.filter((id) => !members.some((member) => member.id === id));
  const mayAdd = state.member() !== undefined && absent.length > 0;
  return infoSection(
    'Members',
    element(
      'ul',
      { 'data-testid': 'members' },
      members.map((member) => memberRow(state, member)),
    ),
    mayAdd && element('h4', {}, 'Add to the group'),
    mayAdd &&
      element(
        'ul',
        {},
        absent.map((id) => addRow(state, id)),
      ),
  );
}
