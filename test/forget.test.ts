/** /forget erases what is kept about a person, and is no way around a limit. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createQuickEngines } from '../sandbox/service/quick-engines.ts';
import { isVoice, LIMIT, newChinese, says } from './phrases.ts';
import { sendPhotos } from './pictures.ts';
import { useScene } from './shared-scene.ts';

// As many calls as are made here.
const scene = useScene({ env: { DAILY_CALLS_PER_USER: '8', SERVICE_TIMEOUT_MS: '3000' } });

/** Those of these that stand in the files of the database. */
function inFiles(traces: readonly string[]): string[] {
  const files = ['', '-wal'].map((end) => readFileSync(`${scene.databaseFile}${end}`));
  return traces.filter((trace) => files.some((bytes) => bytes.includes(trace)));
}

/** Every row of every table that holds one of these, as `table: row`. */
const rowsWith = (traces: readonly string[]): string[] =>
  scene
    .rows("select name from sqlite_master where type = 'table'")
    .flatMap(({ name }) =>
      scene.rows(`select * from "${name}"`).map((row) => `${name}: ${JSON.stringify(row)}`),
    )
    .filter((row) => traces.some((trace) => row.includes(trace)));

it('/forget asks, then erases all rows and bytes of the person', async () => {
  const { newcomer, ask, answerTo, becomes, telegram, service } = scene;
  const pema = newcomer({ id: 777_654_321, firstName: 'Pemazangmo' });
  const group = telegram.world.addGroup({ title: 'Readers', members: [pema], type: 'supergroup' });
  const texts = Array.from({ length: 5 }, newChinese);
  const [inPrivate = '', inGroup = '', inline = '', edited = '', inDoubt = ''] = texts;
  const translations = await Promise.all(
    [inPrivate, inGroup, edited].map((text) => createQuickEngines().translate(text, 'zh', 'bo')),
  );

  for (const command of ['/lang zh', '/lang en', '/settings', '/usage']) await ask(pema, command);
  const asked = pema.send(pema.chat, { text: inPrivate });
  const answer = await answerTo(asked);
  pema.editText(asked, edited);
  await becomes(answer, ({ text }) => text !== answer.text);
  await answerTo(pema.send(group, { text: `/tibetan ${inGroup}` }));
  await answerTo(pema.send(group, { text: '/speak' }), isVoice);
  const [first] = await sendPhotos(pema, pema.chat, 2);
  await answerTo(first, ({ text }) => text?.startsWith('1.\n') === true);
  await pema.inlineQuery(inline);
  service.faults.next('translation', 'hang');
  await ask(pema, inDoubt, ({ text }) => text === says('failure-in-doubt'));
  await ask(pema, '/cancel');

  const traces = [String(pema.id), 'Pemazangmo', ...texts, ...translations];
  const before = rowsWith(traces);
  for (const table of ['results', 'requests', 'ledger', 'telegraf-sessions']) {
    expect(before.some((row) => row.startsWith(`${table}: `))).toBe(true);
  }
  expect(inFiles(texts)).not.toEqual([]);
  const question = await ask(pema, '/forget');
  expect(question.text).toBe(says('forget-sure'));
  expect(question.text).toContain('stays until 00:00 UTC');
  await pema.press(question, says('button-forget'));
  await becomes(question, ({ text }) => text === says('forgotten'));
  // First the files: whoever reads rows meanwhile keeps them on the disk.
  await expect.poll(() => inFiles(traces)).toEqual([]);
  expect(rowsWith(traces)).toEqual([]);
  expect((await ask(pema, newChinese())).text).toContain(LIMIT);
});

it('cannot be confirmed by somebody else', async () => {
  const [pema, dolma] = [scene.newcomer(), scene.newcomer()];
  const group = scene.telegram.world.addGroup({ title: 'Readers', members: [pema, dolma] });
  const question = await scene.answerTo(pema.send(group, { text: '/forget' }));
  const told = await dolma.press(question, says('button-forget'));
  expect(told).toEqual({ text: says('forget-not-yours'), showAlert: true });
  await scene.ask(dolma, '/help');
  expect(scene.telegram.world.messages(group).at(-1)).toEqual(question);
});

it('/privacy says what is kept and how to have it erased', async () => {
  const { text } = await scene.ask(scene.anna, '/privacy');
  expect(text).toContain('90 days');
  expect(text).toContain('/forget');
});
