/** What people ask for so that the bot makes each of its calls, one errand for every call that can break. */

import type { Message } from '../../sandbox/telegram/objects.ts';
import type { Person } from '../../sandbox/telegram/person.ts';
import { type InterfaceLanguage, interfaceLanguage } from '../../src/language/interface-language.ts';
import { buttonsOf, hasTibetan, isVoice, newChinese, newTibetan, numberOf, says } from '../phrases.ts';
import { aJpegSaying } from '../pictures.ts';
import { FAULTS } from './breakages.ts';
import { answerWith } from './fault-proxy.ts';
import type { Stage } from './stage.ts';

/** An errand for somebody, ready to be begun. */
interface Ready {
  /** What stands in the call's address or body, once it has begun. */
  readonly mark: () => string;
  /** Stands in the text of every paid call of it. */
  readonly text: string;
  /** Gives the message after which the answer comes. */
  begin(): Promise<Message> | Message;
  isAnswer(message: Message): boolean;
  /** The message that the answer takes the place of. */
  readonly edited?: Message;
}

export type Errand = (stage: Stage, person: Person) => Promise<Ready> | Ready;

/** Lines of a page that needs more than three messages, and so comes as a file. */
const LONG_PAGE_LINES = 600;

/** A text to translate. */
export const translation: Errand = (_stage, person) => {
  const text = newChinese();
  return {
    mark: () => numberOf(text) ?? '',
    text: numberOf(text) ?? '',
    begin: () => person.send(person.chat, { text }),
    isAnswer: (answer) => hasTibetan(answer.text) && numberOf(answer.text) === numberOf(text),
  };
};

/** A text to speak. */
export const speech: Errand = (_stage, person) => {
  const text = newTibetan();
  return {
    mark: () => numberOf(text) ?? '',
    text: numberOf(text) ?? '',
    begin: () => person.send(person.chat, { text: `/speak amdo ${text}` }),
    isAnswer: (answer) => isVoice(answer) || answer.audio !== undefined,
  };
};

/** A picture to read, sent as a file, since Telegram makes photos smaller. */
export const recognition: Errand = async (_stage, person) => {
  const text = newTibetan();
  const bytes = await aJpegSaying(text);
  const number = numberOf(text) ?? '';
  return {
    mark: () => number,
    text: number,
    // The number becomes part of the file's address.
    begin: () =>
      person.sendDocument(person.chat, bytes, { fileName: `page.n${number}`, mimeType: 'image/jpeg' }),
    isAnswer: (answer) => answer.text?.includes(text) === true,
  };
};

/** The same errand, in a call that is known by who asked. */
export function byPerson(errand: Errand): Errand {
  return async (stage, person) => ({
    ...(await errand(stage, person)),
    mark: () => String(person.id),
  });
}

/** A text that is not translated before a chat action is shown: what is answered in a moment has none. */
export const awaited: Errand = async (stage, person) => {
  const ready = await translation(stage, person);
  const { calls, world } = stage.telegram;
  stage.toBase.breakNext({
    call: 'translation',
    mark: ready.mark(),
    breakage: async ({ response, forward }) => {
      const answer = await forward();
      await world.waitUntil(() =>
        calls.some(({ method, payload }) => method === 'sendChatAction' && payload.chat_id === person.id),
      );
      answerWith(response, answer);
    },
  });
  return { ...ready, mark: () => String(person.id) };
};

/** A picture whose file is looked up by its id. */
export const fileLookup: Errand = async (stage, person) => {
  const ready = await recognition(stage, person);
  let fileId = 'not sent yet';
  return {
    ...ready,
    mark: () => fileId,
    begin: async () => {
      const message = await ready.begin();
      fileId = message.document?.file_id ?? '';
      return message;
    },
  };
};

/** A page so long that its text comes as a file. */
export const longPage: Errand = async (_stage, person) => {
  const text = newTibetan();
  const bytes = await aJpegSaying(Array.from({ length: LONG_PAGE_LINES }, () => text).join('\n'));
  return {
    mark: () => String(person.id),
    text: numberOf(text) ?? '',
    begin: () => person.sendDocument(person.chat, bytes, { fileName: 'page.jpg', mimeType: 'image/jpeg' }),
    isAnswer: (answer) => answer.document !== undefined,
  };
};

/** A press on a button, which changes a setting and says so in the message's place. */
export const chosen: Errand = async (stage, person) => {
  const offer = await stage.ask(person, '/dialect');
  return {
    mark: () => String(person.id),
    text: 'nothing is paid for',
    begin: () => {
      person.press(offer, 'dialect:amdo').catch(() => {});
      return offer;
    },
    isAnswer: () => false,
    edited: offer,
  };
};

/** A press on the button under a call in doubt, which has it done once more; the answer takes the question's place. */
export const triedAgain: Errand = async (stage, person) => {
  const ready = await translation(stage, person);
  const doubt = stage.toBase.breakNext({
    call: 'translation',
    mark: ready.mark(),
    breakage: FAULTS['silent, and the work not done'],
  });
  // Before it comes a message that offers to cancel the wait.
  const inDoubt = says('failure-in-doubt', languageOf(person));
  const question = await stage.answerTo(await ready.begin(), ({ text }) => text === inDoubt);
  doubt.end();
  return {
    ...ready,
    mark: () => String(person.id),
    begin: () => {
      person.press(question, buttonsOf(question)[0] ?? '').catch(() => {});
      return question;
    },
    edited: question,
  };
};

/** A Chinese text spoken in a Tibetan dialect: two paid calls, with a message that counts them. */
export const counted: Errand = async (stage, person) => {
  const ready = await speech(stage, person);
  const text = newChinese();
  return {
    ...ready,
    mark: () => String(person.id),
    text: numberOf(text) ?? '',
    begin: () => person.send(person.chat, { text: `/speak amdo ${text}` }),
  };
};

/** A group's admin has the bot listen. */
export const listening: Errand = ({ telegram }, person) => {
  const group = telegram.world.addGroup({ title: 'Readers', members: [], admins: [person] });
  return {
    mark: () => String(group.chat.id),
    text: 'nothing is paid for',
    begin: () => person.send(group, { text: '/listen on' }),
    isAnswer: ({ text }) => text === says('listen-on-deaf', languageOf(person)),
  };
};

/** The interface language of somebody who has chosen none. */
export function languageOf({ user }: Person): InterfaceLanguage {
  return interfaceLanguage(user.language_code);
}
