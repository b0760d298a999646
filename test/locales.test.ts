/** The words of the bot: complete, alike in every language, and clean Tibetan. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FluentResource } from '@fluent/bundle';
import { describe, expect, it } from 'vitest';
import { FAILURES, Failure, type FailureKind } from '../src/errors.ts';
import { INTERFACE_LANGUAGES, type InterfaceLanguage } from '../src/language/interface-language.ts';
import { LANGUAGES } from '../src/language/script.ts';
import { VARIETIES, VOICES } from '../src/language/variety.ts';
import { loadWords } from '../src/telegram/locale.ts';
import { sentenceFor } from '../src/telegram/reply/failure-words.ts';

const FOLDER = new URL('../locales/', import.meta.url);

/** The patterns of a language by their id, as they stand in the file. */
function messagesOf(language: InterfaceLanguage): Map<string, string> {
  const source = readFileSync(new URL(`${language}.ftl`, FOLDER), 'utf8');
  const ids = new FluentResource(source).body.map(({ id }) => id);
  expect(new Set(ids).size, `${language}.ftl says something twice`).toBe(ids.length);
  return new Map(
    ids.map((id) => {
      const pattern = new RegExp(`^${id} =(.*(?:\\n(?: .*)?)*)`, 'm').exec(source)?.[1] ?? '';
      return [id, pattern.replace(/^ +/gm, '').trim()];
    }),
  );
}

const messages = Object.fromEntries(
  INTERFACE_LANGUAGES.map((language) => [language, messagesOf(language)]),
) as Record<InterfaceLanguage, Map<string, string>>;
const ids = [...messages.en.keys()];

it.each(INTERFACE_LANGUAGES)('%s has every sentence, and no other', (language) => {
  expect([...messages[language].keys()].toSorted()).toEqual(ids.toSorted());
});

it.each(ids)('%s has the same places to fill, and names the same commands, in every language', (id) => {
  const places = (text = '') => [...new Set(text.match(/\$[a-zA-Z]+/g))].toSorted();
  const commands = (text = '') => [...new Set(text.match(/\/[a-z]+/g))].toSorted();
  for (const language of INTERFACE_LANGUAGES) {
    expect(places(messages[language].get(id))).toEqual(places(messages.en.get(id)));
    expect(commands(messages[language].get(id))).toEqual(commands(messages.en.get(id)));
  }
});

it.each(INTERFACE_LANGUAGES)(
  '%s has no sentence longer than a message, a caption button or a menu holds',
  (language) => {
    for (const [id, text] of messages[language]) {
      expect(text.length, id).toBeGreaterThan(0);
      expect(text.length, id).toBeLessThanOrEqual(4096);
      // Told in the answer to a callback query (Bot API).
      if (
        /-not-yours$|^settings-of-group$|^callback-too-old$|^photo-gone$|^try-again-gone$|^cancel-heard$/.test(
          id,
        )
      )
        expect(text.length, id).toBeLessThanOrEqual(200);
      if (id.startsWith('command-')) expect(text.length, id).toBeLessThanOrEqual(256);
      // With the longest form of what it counts.
      const longest = text.replace(/\{ \$\w+ ->[^}]*?\*\[other\] (.*)\n\s*\}/, '$1');
      if (id.startsWith('button-')) expect(longest.length, id).toBeLessThanOrEqual(40);
    }
  },
);

describe('the code', () => {
  const sources = ['handlers', 'src/work', 'src/telegram']
    .map((folder) => new URL(`../${folder}/`, import.meta.url))
    .flatMap((folder) => readdirSync(folder, { withFileTypes: true, recursive: true }))
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'))
    .join('\n');

  /** What stands in the place of `${…}` in the ids that the code puts together. */
  const FAMILIES: Record<string, readonly string[]> = {
    'nothing-found-': LANGUAGES,
    'document-nothing-found-': LANGUAGES,
    'unlikely-': LANGUAGES,
    'keep-reading-': LANGUAGES,
    'reading-': LANGUAGES,
    'already-': LANGUAGES,
    'target-': ['auto', ...LANGUAGES],
    'button-read-': LANGUAGES,
    'language-': LANGUAGES,
    'voice-': VOICES,
    'stats-': ['uses', 'yuan', 'photos', 'texts', 'speech'],
    '': VARIETIES,
  };

  it('uses no sentence that there is not', () => {
    const whole = [
      ...sources.matchAll(
        /(?:words|notice|confirm)\(\s*(?:ctx(?:\.language)?,\s*)?(?!'(?:en|bo)',)'([a-z-]+)'/g,
      ),
    ];
    expect(whole.length).toBeGreaterThan(30);
    for (const [, id] of whole) expect(ids).toContain(id);
    for (const [family, members] of Object.entries(FAMILIES)) {
      for (const member of members) expect(ids).toContain(`${family}${member}`);
    }
  });

  const failures = (Object.keys(FAILURES) as FailureKind[]).flatMap((kind) =>
    [undefined, { left: 0, limit: 0 }, { left: 1, limit: 2 }].map((calls) =>
      sentenceFor(new Failure(kind, '', calls && { calls })),
    ),
  );

  it.each(failures)('says a failure by its sentence: %s', (id) => expect(ids).toContain(id));

  it('uses every sentence that there is', () => {
    const families = [...sources.matchAll(/`([a-z-]+-)\$\{/g)].map(([, family = '']) => family);
    const endings = [...sources.matchAll(/`\$\{\w+\}(-[a-z-]+)`/g)].map(([, ending = '']) => ending);
    const isUsed = (id: string) =>
      sources.includes(`'${id}'`) ||
      failures.includes(id) ||
      VARIETIES.some((variety) => variety === id) ||
      families.some((family) => id.startsWith(family)) ||
      endings.some((ending) => id.endsWith(ending));
    expect(ids.filter((id) => !isUsed(id))).toEqual([]);
  });
});

describe('in Tibetan', () => {
  const words = [...messages.bo].map(([id, text]) => [id, text] as const);
  /** Other scripts: commands, names, units, places to fill. */
  const foreign = /\{[^}]*\}|[/A-Za-z0-9:.,\-–·•%]+/g;

  it.each(words)('%s has its tshegs and shads in order, and no word that means something else', (_, text) => {
    expect(text).not.toMatch(/་་/); // a tsheg twice
    expect(text).not.toMatch(/\s[།༎]/); // a space before a shad
    expect(text).not.toMatch(/(?<!ང)་།/); // a tsheg before a shad, but after nga
    expect(text).not.toMatch(/ང།/); // nga needs its tsheg before a shad
    expect(text).not.toMatch(/།(?=[\u0f40-\u0f6c])/); // a shad is followed by a space
    expect(text).not.toMatch(/།།/);
    expect(text).not.toMatch(/[ཀགཤ]།/); // ka, ga and sha take no shad
    expect(text).not.toMatch(/[ཀགཤ][ིེོུ]\s+[\u0f40-\u0f6c]/); // with a vowel they take one (ཡི་གེ།)
    expect(text).not.toMatch(/[\u0f40-\u0fbc]\s*[,.;:!?](?=\s|$)/); // no Latin punctuation after Tibetan
    expect(text).not.toMatch(/[，。；：！？]/);
    expect(text).not.toMatch(/་\s+(?:[\u0f40-\u0f6c]|$)/); // a tsheg before a space only where other script follows
    // What a reviewer took for a password, Wednesday, a standard, wages, a hope, "remind me", awareness (for memory).
    expect(text).not.toMatch(/གསང་ཨང|ལྷག་པ|ཚད་གཞི|གླ་འབབ|རེ་བ(?![རཞ])|ང་དྲན་སྐུལ|དྲན་ཤེས|(?<!རྒྱ་)སྒོར/u);
    // A request takes the present stem of its verb.
    expect(text).not.toMatch(/(?:བསྐུར|བྲིས|བརྒྱབ|བཏང|བཏབ|བཀོད|བསྐོས?|བྱས|བཞག)་རོགས/u);
  });

  it.each(words.filter(([id]) => /speak|speech|dialect-(?:which|chosen)|voice-(?:which|chosen)/.test(id)))(
    '%s says “read aloud” where it speaks, since “read” is what happens to photos',
    (_, text) => {
      expect(text).toContain('ཀློག་འདོན');
      expect(text).not.toMatch(/ཀློག(?!་འདོན)/u);
    },
  );

  it.each(words.filter(([id]) => /^(?:reading|ocr|button-read|nothing-found|command-ocr)/.test(id)))(
    '%s does not say “read aloud” where photos are read',
    (_, text) => {
      expect(text).not.toContain('ཀློག་འདོན');
    },
  );

  it('a file above 1 MB is the one that is refused', () => {
    expect(messages.bo.get('failure-text-file-too-large')).toContain('1 MB མན');
  });

  it.each(words.filter(([id]) => /^(failure|already|target|neither|nothing|limit)-/.test(id)))(
    '%s ends as a sentence does',
    (_, text) => {
      const last = text.replace(foreign, '').trimEnd();
      expect(last).toMatch(/(?:།|[ཀགཤ])$/u);
    },
  );
});

describe('in traditional characters', () => {
  const words = [...messages['zh-Hant']].map(([id, text]) => [id, text] as const);
  const SIMPLIFIED =
    /[卫话晓声云译师发张识别来钮读种见试说写复这双认转换费条还么两并没请变后过适经线吗为会个隐设语频许员开权几简体输暂时继续旧让处点间现应于决关闭进对务问题额长图钟损坏给无记账钱数预录边结调编号内确计从检盘满据库锁样纹类册着与负责删选择机区汉组辑装东启动连拟页钥网络宽运测该环错误义凭证节弃径轮询递户报备监构诉溃丢余队独镜软赖]/u;

  it.each(words)('%s has no simplified character, and the terms of Taiwan and Hong Kong', (_, text) => {
    expect(text).not.toMatch(SIMPLIFIED);
    expect(text).not.toMatch(
      /[“”]|消息|信息|設置|文件|鏈接|圖像|默認|音頻|視頻|屏幕|回復|充值|命令|識別|話題|界面|群(?!組)/u,
    );
    // Whose yuan they are: a dollar is called the same.
    expect(text).not.toMatch(/(?<!人民幣(?: \{ \$\w+ \} )?)元/u);
  });
});

it('a sentence that is missing or incomplete is an error', () => {
  const say = loadWords(FOLDER);
  expect(() => say('en', 'no-such-sentence')).toThrow();
  expect(() => say('en', 'dialect-chosen')).toThrow();
  expect(say('en', 'dialect-chosen', { dialect: 'X' })).toContain('X');
  // No invisible marks travel with what a person copies.
  expect(say('bo', 'dialect-chosen', { dialect: 'X' })).not.toMatch(/[\u2068\u2069]/);
});

it('a folder without a language is an error at the start', () => {
  expect(() => loadWords(new URL('../src/', import.meta.url))).toThrow();
});
