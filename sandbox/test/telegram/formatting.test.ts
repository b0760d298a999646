/** Parse modes and entities. */
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { MessageEntity } from '../../telegram/objects.ts';
import { type BotClient, startBotClient } from './bot-client.ts';

let bot: BotClient;
const TASHI = 42;

beforeAll(async () => {
  bot = await startBotClient();
  bot.telegram.world.addPerson({ firstName: 'Tashi', id: TASHI });
  return () => bot.close();
});

/** The entities as the part of the text that they cover. */
function parts(text: string, entities: MessageEntity[] = []): string[] {
  return entities.map(({ type, offset, length, url, language }) =>
    [type, text.slice(offset, offset + length), url ?? language ?? []].flat().join(' | '),
  );
}

type Formatted = [raw: string, text: string, entities: string[]];
type Refused = [raw: string, description: string];

const HTML: Formatted[] = [
  ['<b>བོད་</b> <i>ཡིག</i>', 'བོད་ ཡིག', ['bold | བོད་', 'italic | ཡིག']],
  ['<strong><em>x</em></strong>', 'x', ['bold | x', 'italic | x']],
  [
    '<u>a</u><ins>b</ins><s>c</s><del>d</del>',
    'abcd',
    ['underline | a', 'underline | b', 'strikethrough | c', 'strikethrough | d'],
  ],
  ['<tg-spoiler>a</tg-spoiler> <span class="tg-spoiler">b</span>', 'a b', ['spoiler | a', 'spoiler | b']],
  ['😀<code>x &lt; y</code>', '😀x < y', ['code | x < y']],
  ['<pre><code class="language-ts">let</code></pre>', 'let', ['pre | let | ts']],
  ['<pre>a</pre> <code class="language-ts">b</code>', 'a b', ['pre | a', 'code | b']],
  ['<a href="https://example.org/?a=1&amp;b=2">x</a>', 'x', ['text_link | x | https://example.org/?a=1&b=2']],
  ['<a href="nowhere">x</a>', 'x', []],
  ['<blockquote>a\nb</blockquote>', 'a\nb', ['blockquote | a\nb']],
  ['<blockquote expandable>a</blockquote>', 'a', ['expandable_blockquote | a']],
  ['<b> a </b>', 'a', ['bold | a']],
  ['&amp;&quot;&#3904;&#xF40;&nbsp;&', '&"ཀཀ&nbsp;&', []],
  ['<B>a</b>', 'a', ['bold | a']],
  ['<b>@lotsawa_bot</b>', '@lotsawa_bot', ['mention | @lotsawa_bot', 'bold | @lotsawa_bot']],
];

const HTML_FAULTS: Refused[] = [
  ['<b>x', 'Can\'t find end tag corresponding to start tag "b"'],
  ['x</b>', 'Unexpected end tag at byte offset 1'],
  ['བ<b>x</i>', 'Unmatched end tag at byte offset 7, expected "</b>", found "</i>"'],
  ['1 < 2', 'Unsupported start tag "" at byte offset 2'],
  ['<p>x</p>', 'Unsupported start tag "p" at byte offset 0'],
  ['x <b', 'Unclosed start tag at byte offset 2'],
  ['<b>x</b', 'Unclosed end tag at byte offset 4'],
  ['<a href="x>y', 'Unclosed start tag "a" at byte offset 0'],
  ['<span>x</span>', 'Tag "span" must have class "tg-spoiler" at byte offset 0'],
];

const MARKDOWN: Formatted[] = [
  ['*བོད་* _ཡིག_', 'བོད་ ཡིག', ['bold | བོད་', 'italic | ཡིག']],
  ['__a__ ~b~ ||c||', 'a b c', ['underline | a', 'strikethrough | b', 'spoiler | c']],
  ['*a _b_*', 'a b', ['bold | a b', 'italic | b']],
  ['`x * y`', 'x * y', ['code | x * y']],
  ['```ts\nlet```', 'let', ['pre | let | ts']],
  ['```\nlet```', 'let', ['pre | let']],
  ['[x](https://example.org/\\))', 'x', ['text_link | x | https://example.org/)']],
  ['a\\.b \\\\', 'a.b \\', []],
  ['>a\n>b\nc', 'a\nb\nc', ['blockquote | a\nb']],
];

const MARKDOWN_FAULTS: Refused[] = [
  ['a.b', "Character '.' is reserved and must be escaped with the preceding '\\'"],
  ['a | b', "Character '|' is reserved and must be escaped with the preceding '\\'"],
  ['བ *x', "Can't find end of Bold entity at byte offset 4"],
  ['_x', "Can't find end of Italic entity at byte offset 0"],
  ['`x', "Can't find end of Code entity at byte offset 0"],
  ['[x](y', "Can't find end of a URL at byte offset 4"],
];

describe.each([
  ['HTML', HTML, HTML_FAULTS],
  ['MarkdownV2', MARKDOWN, MARKDOWN_FAULTS],
] as const)('%s', (parse_mode, formatted, refused) => {
  test.each([...formatted])('%j is read', async (raw, text, entities) => {
    const sent = await bot.send({ chat_id: TASHI, text: raw, parse_mode });
    expect(sent.text).toBe(text);
    expect(parts(text, sent.entities)).toEqual(entities);
  });

  test.each([...refused])('%j is refused', async (raw, description) => {
    expect(await bot.call('sendMessage', { chat_id: TASHI, text: raw, parse_mode })).toMatchObject({
      error_code: 400,
      description: `Bad Request: can't parse entities: ${description}`,
    });
  });
});

test('given entities move with the trimmed text; found ones are ignored', async () => {
  const entities = [
    { type: 'bold', offset: 1, length: 4 },
    { type: 'url', offset: 2, length: 2 },
    { type: 'italic', offset: 1, length: 0 },
  ];
  const sent = await bot.send({ chat_id: TASHI, text: '  བོད་', entities });
  expect(sent).toMatchObject({ text: 'བོད་', entities: [{ type: 'bold', offset: 0, length: 3 }] });
  expect(sent.entities).toHaveLength(1);
});

test('a parse mode wins over entities', async () => {
  const entities = [{ type: 'bold', offset: 0, length: 1 }];
  const sent = await bot.send({ chat_id: TASHI, text: '<i>x</i>', parse_mode: 'HTML', entities });
  expect(sent.entities).toEqual([{ type: 'italic', offset: 0, length: 1 }]);
});

/** Text with what could mean something to a parser. */
const text = fc.string({
  unit: fc.constantFrom(...'<>&"\\*_`[]()~>#+-=|{}.! ab/=བོད😀'),
  minLength: 1,
  maxLength: 40,
});

test('text escaped for HTML or MarkdownV2 arrives as it was, without any formatting', async () => {
  const plain = fc.tuple(fc.constant('ཀ'), text, fc.constant('ཀ')).map((three) => three.join(''));
  await fc.assert(
    fc.asyncProperty(plain, async (said) => {
      const html = said.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
      const markdown = said.replaceAll(/[_*[\]()~`>#+\-=|{}.!\\]/g, '\\$&');
      const first = await bot.send({ chat_id: TASHI, text: html, parse_mode: 'HTML' });
      const second = await bot.send({ chat_id: TASHI, text: markdown, parse_mode: 'MarkdownV2' });
      expect([first.text, second.text]).toEqual([said, said]);
    }),
    { numRuns: 200 },
  );
});

test('whatever is sent is either refused by name or kept with entities inside the text', async () => {
  const mode = fc.constantFrom('HTML', 'MarkdownV2');
  await fc.assert(
    fc.asyncProperty(text, mode, async (raw, parse_mode) => {
      const { ok, error_code } = await bot.call('sendMessage', { chat_id: TASHI, text: raw, parse_mode });
      expect(ok || error_code === 400).toBe(true);
      const kept = ok ? bot.telegram.world.messages(TASHI).at(-1) : undefined;
      const { text = '', entities = [] } = kept ?? {};
      for (const { offset, length } of entities) {
        expect(offset).toBeGreaterThanOrEqual(0);
        expect(length).toBeGreaterThan(0);
        expect(offset + length).toBeLessThanOrEqual(text.length);
      }
    }),
    { numRuns: 300 },
  );
});
