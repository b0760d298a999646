/** The world that the sandbox begins with: three people of three languages, and one group with all of them and the bot. */

import type { Group } from '../telegram/group.ts';
import type { LocalTelegram } from '../telegram/local-telegram.ts';
import type { Person } from '../telegram/person.ts';

export interface Cast {
  readonly tenzin: Person;
  readonly limei: Person;
  readonly anna: Person;
  /** Tenzin owns it, so that `/listen` and `/quota` can be tried by one who may and by two who may not. */
  readonly group: Group;
}

/** Adds the cast to a local Telegram. */
export function populate({ world }: LocalTelegram): Cast {
  const tenzin = world.addPerson({ firstName: 'Tenzin', username: 'tenzin', languageCode: 'bo' });
  const limei = world.addPerson({ firstName: '李梅', username: 'limei', languageCode: 'zh' });
  const anna = world.addPerson({ firstName: 'Anna', username: 'anna', languageCode: 'en' });
  const group = world.addGroup({
    title: 'Tibetan reading circle',
    members: [tenzin, limei, anna],
    admins: [tenzin],
    type: 'supergroup',
  });
  return { tenzin, limei, anna, group };
}
