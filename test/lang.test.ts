/** /lang, and the language in which the bot speaks to a person before anything is chosen. */
import { expect, it } from 'vitest';
import { INTERFACE_LANGUAGES } from '../src/language/interface-language.ts';
import { buttonsOf, newTibetan, says } from './phrases.ts';
import { useSharedScene } from './shared-scene.ts';

const scene = useSharedScene();

it.each([
  ['en', 'en'],
  ['en-GB', 'en'],
  ['zh-hans', 'zh'],
  ['zh-hant', 'zh-Hant'],
  ['zh-TW', 'zh-Hant'],
  ['zh-HK', 'zh-Hant'],
  ['zh_MO', 'zh-Hant'],
  ['zh-hant-raw', 'zh-Hant'],
  ['zh-Hans-HK', 'zh'],
  ['zh-SG', 'zh'],
  ['bo', 'bo'],
  ['de', 'en'],
] as const)('to a person whose Telegram is in %s it speaks %s', async (languageCode, language) => {
  expect((await scene.ask(scene.newcomer({ languageCode }), '/start')).text).toBe(says('start', language));
});

it.each([
  ['/lang bo', 'bo'],
  ['/lang བོད་ཡིག', 'bo'],
  ['/lang 中文', 'zh'],
  ['/lang 简体', 'zh'],
  ['/lang zh-Hans', 'zh'],
  ['/lang 繁體', 'zh-Hant'],
  ['/lang 繁中', 'zh-Hant'],
  ['/lang 正體中文', 'zh-Hant'],
  ['/lang zh-Hant', 'zh-Hant'],
  ['/lang zh_TW', 'zh-Hant'],
  ['/lang traditional Chinese', 'zh-Hant'],
  ['/lang 國語', 'zh-Hant'],
  ['/lang 藏語', 'bo'],
  // With the tsheg that forbids a break after it.
  ['/lang རྒྱ༌ཡིག', 'zh'],
  ['/lang english', 'en'],
  ['/lang ཨིན་ཡིག', 'en'],
  ['/lang ཨིན་སྐད', 'en'],
  ['/lang དབྱིན་ཇི', 'en'],
  ['/lang ཧན་ཡིག', 'zh'],
] as const)('%s is taken, and said in that language', async (command, language) => {
  const person = scene.newcomer({ languageCode: 'zh' });
  expect((await scene.ask(person, command)).text).toBe(says('lang-chosen', language));
  expect((await scene.ask(person, '/help')).text).toBe(says('help', language));
});

it.each([
  ['/lang', 'lang-which'],
  ['/lang klingon', 'lang-unknown'],
])('%s offers each language under its own name, and a press chooses in place', async (command, id) => {
  const person = scene.newcomer();
  const offer = await scene.ask(person, command);
  expect(offer.text).toBe(says(id));
  expect(buttonsOf(offer)).toEqual(['lang:en', 'lang:zh', 'lang:zh-Hant', 'lang:bo']);
  const names = offer.reply_markup?.inline_keyboard.map((row) => row.map(({ text }) => text));
  expect(names).toEqual([['✓ English', '简体中文', '繁體中文', 'བོད་ཡིག']]);
  await person.press(offer, 'lang:zh-Hant');
  await scene.becomes(offer, ({ text }) => text === says('lang-chosen', 'zh-Hant'));
});

/** What is asked, and the sentence that answers it. */
const EXCHANGES: readonly (readonly [string, string])[] = [
  ['/start', 'start'],
  ['/help', 'help'],
  ['hello', 'neither-script'],
  ['/speak', 'nothing-to-speak'],
  ['/ocr', 'ocr-how'],
  ['/ocr x', 'ocr-unknown'],
  ['/dialect', 'dialect-which'],
  ['/dialect x', 'dialect-unknown'],
  ['/voice', 'voice-which'],
  ['/voice x', 'voice-unknown'],
  ['/lang', 'lang-which'],
  ['/lang x', 'lang-unknown'],
  ['/tibetan བོད།', 'already-tibetan'],
  ['/chinese 中', 'already-chinese'],
  ['/tibetan', 'target-tibetan'],
  ['/chinese', 'target-chinese'],
  ['/auto', 'target-auto'],
  ['/ocr zh', 'reading-chinese'],
  ['/ocr bo', 'reading-tibetan'],
  ['/nonsense', 'anything-else'],
];

it.each(INTERFACE_LANGUAGES)('every answer to a person who reads %s is in it', async (language) => {
  const person = scene.newcomer({ languageCode: language });
  for (const [asked, id] of EXCHANGES) {
    expect((await scene.ask(person, asked)).text).toBe(says(id, language));
  }
  scene.service.faults.next('translation', 'undocumented-error');
  expect((await scene.ask(person, newTibetan())).text).toBe(says('failure-unavailable', language));
});
