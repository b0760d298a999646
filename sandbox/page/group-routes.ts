/** Routes of groups: making them, coming and going, bringing the bot, promoting, opening and closing topics. */
import type { FastifyInstance } from 'fastify';
import type { Group } from '../telegram/group.ts';
import type { LocalTelegram } from '../telegram/local-telegram.ts';
import type { Person } from '../telegram/person.ts';
import {
  actor,
  anonymity,
  anyTopicAddress,
  groupAddress,
  newGroup,
  newTopic,
  topicAddress,
  topicState,
} from './group-protocol.ts';
import { Refusal } from './refusal.ts';
import { findGroup, findPerson } from './world-lookup.ts';

/** Adds the routes under `/api/groups`, but for membership. */
export function addGroupRoutes(app: FastifyInstance, telegram: LocalTelegram): void {
  app.post('/api/groups', (request) => {
    const { personId, title, kind } = newGroup.parse(request.body);
    const owner = findPerson(telegram, personId);
    if (kind === 'channel')
      return telegram.world.addChannel({ title, admins: [owner], botIsAdmin: false }).chat;
    const type = kind === 'group' ? 'group' : 'supergroup';
    const isForum = kind === 'forum';
    const people = { members: [owner], admins: [owner], botIsMember: false };
    return telegram.world.addGroup({ title, type, isForum, ...people }).chat;
  });

  app.put('/api/groups/:chatId/anonymity', (request, reply) => {
    const { personId, isAnonymous } = anonymity.parse(request.body);
    const { group, person } = asAdmin(telegram, request.params, personId);
    group.setAnonymous(person, isAnonymous);
    return reply.code(204).send();
  });

  app.post('/api/groups/:chatId/topics', (request) => {
    const { personId, name } = newTopic.parse(request.body);
    const { group, person } = asMember(telegram, request.params, personId);
    return { topicId: group.createTopic(name, person) };
  });

  app.put('/api/groups/:chatId/topics/:topicId', (request, reply) => {
    const { topicId } = anyTopicAddress.parse(request.params);
    const { personId, isClosed } = topicState.parse(request.body);
    const { group, person } = asAdmin(telegram, request.params, personId);
    if (topicId !== undefined) findTopic(group, topicId);
    else if (group.chat.is_forum !== true) throw new Refusal(404, 'There is no such topic');
    if (isClosed) group.closeTopic(topicId, person);
    else group.reopenTopic(topicId, person);
    return reply.code(204).send();
  });

  app.delete('/api/groups/:chatId/topics/:topicId', (request, reply) => {
    const { topicId } = topicAddress.parse(request.params);
    const { group } = asAdmin(telegram, request.params, actor.parse(request.body).personId);
    findTopic(group, topicId);
    group.deleteTopic(topicId);
    return reply.code(204).send();
  });

  app.post('/api/groups/:chatId/upgrade', (request) => {
    const { group, person } = asAdmin(telegram, request.params, actor.parse(request.body).personId);
    return group.upgradeToSupergroup(person).chat;
  });
}

interface Acting {
  readonly group: Group;
  readonly person: Person;
}

/** Throws Refusal 403 for one who is not in the group. */
function asMember(telegram: LocalTelegram, address: unknown, personId: number): Acting {
  const group = findGroup(telegram, groupAddress.parse(address).chatId);
  const person = findPerson(telegram, personId);
  if (!group.has(person)) throw new Refusal(403, 'Only members do this');
  return { group, person };
}

/** Throws Refusal 403 for one who is no admin of the group. */
function asAdmin(telegram: LocalTelegram, address: unknown, personId: number): Acting {
  const acting = asMember(telegram, address, personId);
  if (!acting.group.isAdmin(acting.person)) throw new Refusal(403, 'Only admins do this');
  return acting;
}

function findTopic(group: Group, topicId: number): void {
  if (!group.topics.some(({ id }) => id === topicId)) throw new Refusal(404, 'There is no such topic');
}
