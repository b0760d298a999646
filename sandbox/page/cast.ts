/** The world that the sandbox begins with: people of three languages, and groups of each kind. */
import type { Group } from '../telegram/group.ts';
import type { LocalTelegram } from '../telegram/local-telegram.ts';
import type { Person } from '../telegram/person.ts';

export interface Cast {
  readonly tenzin: Person;
  readonly limei: Person;
  readonly anna: Person;
  /** In no group until they join one. */
  readonly sonam: Person;
  /** Tenzin owns it, so that group admins' commands can be tried by one who may and by two who may not. */
  readonly group: Group;
  /** A forum with topics, one of them closed. */
  readonly forum: Group;
  /** A small group that the bot is not in yet. */
  readonly family: Group;
  /** Its posts also come into `group`; the bot is not in it yet. */
  readonly channel: Group;
}

/** Adds the cast to a local Telegram. */
export function populate({ world }: LocalTelegram): Cast {
  const tenzin = world.addPerson({ firstName: 'Tenzin', username: 'tenzin', languageCode: 'bo' });
  const limei = world.addPerson({ firstName: '李梅', username: 'limei', languageCode: 'zh' });
  const anna = world.addPerson({ firstName: 'Anna', username: 'anna', languageCode: 'en' });
  const sonam = world.addPerson({ firstName: 'Sonam', username: 'sonam', languageCode: 'en' });
  const members = [tenzin, limei, anna];
  const group = world.addGroup({
    title: 'Tibetan reading circle',
    members,
    admins: [tenzin],
    type: 'supergroup',
  });
  const forum = world.addGroup({
    title: 'Students of Tibetan',
    members,
    admins: [anna, tenzin],
    isForum: true,
    topics: [
      { name: 'བོད་ཡིག Reading' },
      { name: '翻译 Translation' },
      { name: 'Announcements', isClosed: true },
    ],
  });
  const family = world.addGroup({
    title: 'Momo evening',
    members,
    admins: [limei],
    botIsMember: false,
  });
  const channel = world.addChannel({
    title: 'Reading circle news',
    admins: [tenzin],
    discussion: group,
    botIsAdmin: false,
  });
  return { tenzin, limei, anna, sonam, group, forum, family, channel };
}
