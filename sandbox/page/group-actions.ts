/** Groups: making them, coming and going, bringing and promoting the bot, topics; and what a person allows the bot. */
import { z } from 'zod';
import type { Group } from '../telegram/group.ts';
import type { Person } from '../telegram/person.ts';
import { type Actions, action, onChat } from './actions.ts';
import { id } from './actor.ts';
import { Refusal } from './refusal.ts';

const name = z.string().trim().min(1).max(128);
const status = z.enum(['administrator', 'member', 'left']);
type Status = z.infer<typeof status>;

export const groupActions: Actions = {
  /** A group, or a channel, of its maker alone; answers with the chat. */
  newGroup: action(
    { title: name, kind: z.enum(['group', 'supergroup', 'forum', 'channel']) },
    ({ person, world }, { title, kind }) => {
      if (kind === 'channel') return world.addChannel({ title, admins: [person], botIsAdmin: false }).chat;
      const type = kind === 'group' ? 'group' : 'supergroup';
      const people = { members: [person], admins: [person], botIsMember: false };
      return world.addGroup({ title, type, isForum: kind === 'forum', ...people }).chat;
    },
  ),

  /** Adds, promotes, demotes, removes; the bot, too. */
  setMember: action({ ...onChat, userId: id, status }, (actor, { chatId, userId, status }) => {
    const { person, botId } = actor;
    const isOther = userId !== person.id;
    const group = isOther ? actor.asMember(chatId) : actor.group(chatId);
    // Anyone may add somebody; the rest is the admins'.
    const isAdding = status === 'member' && !group.has({ user: { id: userId } });
    if (!isAdding && (isOther || status === 'administrator')) actor.asAdmin(chatId);
    if (userId === botId) changeBot(group, status, person);
    else changePerson(group, actor.other(userId), status, person);
  }),

  /** Whether the person writes in the name of the group. */
  setAnonymity: action({ ...onChat, isAnonymous: z.boolean() }, (actor, { chatId, isAnonymous }) =>
    actor.asAdmin(chatId).setAnonymous(actor.person, isAnonymous),
  ),

  newTopic: action({ ...onChat, name }, (actor, { chatId, name }) => ({
    topicId: actor.asMember(chatId).createTopic(name, actor.person),
  })),

  /** General has no id in Telegram. */
  setTopic: action(
    { ...onChat, topicId: id.or(z.literal('general')), isClosed: z.boolean() },
    (actor, { chatId, topicId, isClosed }) => {
      const group = actor.asAdmin(chatId);
      if (topicId !== 'general') findTopic(group, topicId);
      const threadId = topicId === 'general' ? undefined : topicId;
      if (isClosed) group.closeTopic(threadId, actor.person);
      else group.reopenTopic(threadId, actor.person);
    },
  ),

  removeTopic: action({ ...onChat, topicId: id }, (actor, { chatId, topicId }) => {
    const group = actor.asAdmin(chatId);
    findTopic(group, topicId);
    group.deleteTopic(topicId);
  }),

  /** Answers with the supergroup. */
  upgrade: action(
    onChat,
    (actor, { chatId }) => actor.asAdmin(chatId).upgradeToSupergroup(actor.person).chat,
  ),

  /** Only what changes. */
  setPrivacy: action(
    { blocksBot: z.boolean().optional(), forbidsVoice: z.boolean().optional() },
    ({ person }, { blocksBot, forbidsVoice }) => {
      if (blocksBot !== undefined) person.blocksBot = blocksBot;
      if (forbidsVoice !== undefined) person.forbidsVoice = forbidsVoice;
    },
  ),
};

function changeBot(group: Group, status: Status, by: Person): void {
  if (status === 'left') {
    group.removeBot(by);
    return;
  }
  if (!group.hasBot) group.addBot(by, status === 'administrator');
  // In a channel there are bots as admins only.
  if (status === 'administrator' || group.chat.type === 'channel') group.promote(group.bot, by);
  else group.demote(group.bot, by);
}

function changePerson(group: Group, person: Person, status: Status, by: Person): void {
  if (group.isOwner(person)) throw new Refusal(403, 'The owner stays as they are');
  if (status === 'left') {
    group.remove(person, by);
    return;
  }
  if (!group.has(person)) group.add(person, by);
  if (status === 'administrator') group.promote(person, by);
  else group.demote(person, by);
}

function findTopic(group: Group, topicId: number): void {
  if (!group.topics.some(({ id }) => id === topicId)) throw new Refusal(404, 'There is no such topic');
}
