/** A day of a bot: everything that people ask for, and much of what can go wrong with it. */
import Sqlite from 'better-sqlite3';
import { expect } from 'vitest';
import type { Message } from '../../sandbox/telegram/objects.ts';
import type { Person } from '../../sandbox/telegram/person.ts';
import { hasChinese, hasTibetan, isVoice } from '../phrases.ts';
import { aJpeg } from '../pictures.ts';
import type { Scene } from '../scene.ts';

/** Told apart from everything else that may stand in a log. */
export const MARKS = {
  text: 'zqxtextzqx',
  first: 'Zqxfirstzqx',
  last: 'Zqxlastzqx',
  username: 'zqxusernamezqx',
  file: 'zqxfilezqx',
  caption: 'zqxcaptionzqx',
  group: 'Zqxgroupzqx',
};

let number = 0;

function chinese(): string {
  number += 1;
  return `今天天气很好 ${MARKS.text} ${number}。`;
}

function tibetan(): string {
  number += 1;
  return `བཀྲ་ཤིས་བདེ་ལེགས། ${MARKS.text} ${number}`;
}

/** Lives through it; resolves when the last request is answered. */
export async function liveThroughADay(scene: Scene): Promise<Person> {
  const { newcomer, ask, answerTo, service, telegram } = scene;
  const { first: firstName, last: lastName, username } = MARKS;
  const person = newcomer({ firstName, lastName, username });
  const others = Array.from({ length: 8 }, () => newcomer({ firstName }));
  const other = (): Person => others.pop() ?? newcomer({ firstName });

  // All goes well.
  const translation = await ask(person, chinese(), ({ text }) => hasTibetan(text));
  await person.press(translation, 'speak:utsang');
  await answerTo(await person.sendPhoto(person.chat, await aJpeg(), { caption: MARKS.caption }));
  await ask(person, `/speak amdo ${tibetan()}`, isVoice);
  await ask(person, '/settings');
  await ask(person, '/privacy');
  await person.inlineQuery(chinese());
  const group = telegram.world.addGroup({ title: MARKS.group, members: [person] });
  group.addBot(person);
  await answerTo(person.send(group.chat, { text: `@lotsawa_bot ${chinese()}` }), ({ text }) =>
    hasTibetan(text),
  );

  // The service fails.
  for (const fault of [
    'undocumented-error',
    'not-json',
    'missing-fields',
    'reset',
    'status-503',
    'bad-parameter',
  ] as const) {
    service.faults.next('translation', fault);
    await ask(other(), chinese());
  }
  service.faults.next('recognition', 'token-expired');
  await answerTo(await person.sendPhoto(person.chat, await aJpeg()));
  service.faults.set('speech', 'break-off');
  await ask(person, `/speak amdo ${tibetan()}`);
  service.faults.clear();
  service.faults.next('translation', 'hang');
  await ask(other(), chinese());

  // Telegram fails.
  telegram.faults.next('sendMessage', { status: 502, body: `<html>${MARKS.text}</html>` });
  await ask(person, chinese(), ({ text }) => hasTibetan(text));
  telegram.faults.next('sendMessage', { mode: 'reset' });
  await ask(person, chinese(), ({ text }) => hasTibetan(text));
  telegram.faults.next('sendMessage', { retryAfter: 1 });
  await ask(person, chinese(), ({ text }) => hasTibetan(text));
  telegram.faults.next('sendMessage', {
    status: 400,
    description: `Bad Request: can't parse ${MARKS.text} ${number + 1}`,
  });
  person.send(person.chat, { text: tibetan() });
  telegram.faults.next('getUpdates', { mode: 'reset' });
  telegram.faults.next('getUpdates', { status: 200, body: `{"ok":true,"result":[{"text":${MARKS.text}` });
  telegram.faults.next('downloadFile', { status: 500, times: 5 });
  await answerTo(await person.sendPhoto(person.chat, await aJpeg()));
  telegram.faults.clear();
  await answerTo(await sendFile(person, Buffer.from(`not a picture ${MARKS.text}`)));
  await answerTo(await sendFile(person, (await aJpeg()).subarray(0, 300)));

  // The database is locked for longer than anybody waits for it.
  const locked = new Sqlite(scene.databaseFile);
  // The bot may write just now.
  locked.pragma('busy_timeout = 5000');
  locked.exec('BEGIN IMMEDIATE');
  const late = person.send(person.chat, { text: chinese() });
  await new Promise((resolve) => setTimeout(resolve, 1500));
  locked.exec('ROLLBACK');
  locked.close();
  await answerTo(late, ({ text }) => hasTibetan(text) || hasChinese(text));
  expect((await ask(person, '/help')).text).toBeDefined();
  return person;
}

function sendFile(person: Person, bytes: Buffer): Promise<Message> {
  return person.sendDocument(person.chat, bytes, { fileName: `${MARKS.file}.jpg`, mimeType: 'image/jpeg' });
}
