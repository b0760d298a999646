/** Routes of membership: joining, leaving and promoting, the bot included; and what a person allows the bot. */
import type { FastifyInstance } from 'fastify';
import type { Group } from '../telegram/group.ts';
import type { LocalTelegram } from '../telegram/local-telegram.ts';
import type { Person } from '../telegram/person.ts';
import { memberAddress, membership, personAddress, privacy } from './group-protocol.ts';
import { Refusal } from './refusal.ts';
import { findGroup, findPerson } from './world-lookup.ts';

type Status = 'administrator' | 'member' | 'left';

/** Adds the routes of membership and of privacy. */
export function addMembershipRoutes(app: FastifyInstance, telegram: LocalTelegram): void {
  app.put('/api/groups/:chatId/members/:userId', (request, reply) => {
    const { chatId, userId } = memberAddress.parse(request.params);
    const { personId, status } = membership.parse(request.body);
    const group = findGroup(telegram, chatId);
    const by = findPerson(telegram, personId);
    const isOther = userId !== personId;
    if (isOther && !group.has(by)) throw new Refusal(403, 'Only members do this');
    // Anyone may add somebody; the rest is the admins'.
    const isAdding = status === 'member' && !group.has({ user: { id: userId } });
    if (!isAdding && (isOther || status === 'administrator') && !group.isAdmin(by))
      throw new Refusal(403, 'Only admins do this');
    if (userId === telegram.bot.id) changeBot(group, status, by);
    else changePerson(group, findPerson(telegram, userId), status, by);
    return reply.code(204).send();
  });

  app.put('/api/people/:personId', (request, reply) => {
    const person = findPerson(telegram, personAddress.parse(request.params).personId);
    const { blocksBot, forbidsVoice } = privacy.parse(request.body);
    if (blocksBot === true) person.blockBot();
    if (blocksBot === false) person.unblockBot();
    if (forbidsVoice !== undefined) person.forbidsVoice = forbidsVoice;
    return reply.code(204).send();
  });
}

function changeBot(group: Group, status: Status, by: Person): void {
  if (status === 'left') group.removeBot(by);
  else {
    if (!group.hasBot) group.addBot(by);
    // In a channel there are bots as admins only.
    if (status === 'administrator' || group.chat.type === 'channel') group.promoteBot(by);
    else group.demoteBot(by);
  }
}

function changePerson(group: Group, person: Person, status: Status, by: Person): void {
  if (group.isOwner(person)) throw new Refusal(403, 'The owner stays as they are');
  if (status === 'left') group.remove(person, by);
  else {
    if (!group.has(person)) group.add(person, by);
    if (status === 'administrator') group.promote(person, by);
    else group.demote(person, by);
  }
}
