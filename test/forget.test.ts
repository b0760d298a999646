/** /forget erases what is kept about a person, and is no way around a limit. */
import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { createQuickEngines } from '../sandbox/service/quick-engines.ts';
import { CHINESE, hasTibetan, isVoice, newChinese, says, TIBETAN } from './phrases.ts';
import { aJpeg } from './pictures.ts';
import { startScene } from './scene.ts';
import { useScene } from './shared-scene.ts';

const scene = useScene({ env: { DAILY_CALLS_PER_USER: '3' } });

it('asks first, then leaves nothing that leads to the person, in any file of the database', async () => {
  const { newcomer, ask, becomes, restart } = scene;
  const pema = newcomer({ id: 777_123_456 });
  await ask(pema, '/dialect amdo');
  await ask(pema, CHINESE);
  await ask(pema, `/speak ${TIBETAN}`, ({ voice }) => voice !== undefined);
  const question = await ask(pema, '/forget');
  expect(question.text).toBe(says('forget-sure'));
  expect(question.text).toContain('stays until 00:00 UTC');
  await pema.press(question, says('button-forget'));
  await becomes(question, ({ text }) => text === says('forgotten'));
  // A stop writes everything into the one file.
  await restart();
  const bytes = readFileSync(scene.databaseFile);
  for (const trace of [String(pema.id), CHINESE, TIBETAN]) expect(bytes.includes(trace)).toBe(false);
});

it('leaves none of it in the files of the database while the bot runs on, not even of the press itself', async () => {
  const { newcomer, ask, becomes, databaseFile } = scene;
  const pema = newcomer({ firstName: 'Dechenwangmo' });
  const names = () => inFiles(databaseFile, ['Dechenwangmo']);
  await ask(pema, CHINESE);
  expect(names()).toEqual(['Dechenwangmo']);
  const question = await ask(pema, '/forget');
  await pema.press(question, says('button-forget'));
  await becomes(question, ({ text }) => text === says('forgotten'));
  await expect.poll(names).toEqual([]);
});

/** Those of these that stand in the files of the database. */
function inFiles(databaseFile: string, traces: readonly string[]): string[] {
  const files = [databaseFile, `${databaseFile}-wal`].map((path) => readFileSync(path));
  return traces.filter((trace) => files.some((bytes) => bytes.includes(trace)));
}

/** Every row of every table that holds one of these, as `table: row`. */
function rowsWith(databaseFile: string, traces: readonly string[]): string[] {
  const database = new DatabaseSync(databaseFile, { readOnly: true });
  const tables = database.prepare("select name from sqlite_master where type = 'table'").all();
  const found = tables.flatMap(({ name }) =>
    database
      .prepare(`select * from "${String(name)}"`)
      .all()
      .map((row) => `${String(name)}: ${JSON.stringify(row)}`)
      .filter((row) => traces.some((trace) => row.includes(trace))),
  );
  database.close();
  return found;
}

it('leaves no row in any table, nor a byte in its files, that names the person or holds their words, whatever they used', async () => {
  const rich = await startScene({ env: { SERVICE_TIMEOUT_MS: '3000' } });
  const { newcomer, ask, answerTo, becomes, telegram, service } = rich;
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
  const [first] = await pema.sendAlbum(pema.chat, [{ bytes: await aJpeg() }, { bytes: await aJpeg() }]);
  if (first !== undefined) await answerTo(first, ({ text }) => text?.startsWith('1.\n') === true);
  await pema.inlineQuery(inline);
  service.faults.next('translation', 'hang');
  await ask(pema, inDoubt, ({ text }) => text === says('failure-in-doubt'));
  await ask(pema, '/cancel');

  const traces = [String(pema.id), 'Pemazangmo', ...texts, ...translations];
  const before = rowsWith(rich.databaseFile, traces);
  for (const table of ['results', 'requests', 'ledger', 'telegraf-sessions']) {
    expect(before.some((row) => row.startsWith(`${table}: `))).toBe(true);
  }
  expect(inFiles(rich.databaseFile, texts)).not.toEqual([]);
  const question = await ask(pema, '/forget');
  await pema.press(question, says('button-forget'));
  await becomes(question, ({ text }) => text === says('forgotten'));
  await expect.poll(() => rowsWith(rich.databaseFile, traces)).toEqual([]);
  await expect.poll(() => inFiles(rich.databaseFile, traces)).toEqual([]);
  await rich.close();
});

it('does not give today’s calls back', async () => {
  const { newcomer, ask, becomes } = scene;
  const pema = newcomer();
  for (const text of ['一。', '二。', '三。']) await ask(pema, text, (answer) => hasTibetan(answer.text));
  const question = await ask(pema, '/forget');
  await pema.press(question, says('button-forget'));
  await becomes(question, ({ text }) => text === says('forgotten'));
  const [beginning = ''] = says('limit-person', 'en', { hours: '…', minutes: '…' }).split('…');
  expect((await ask(pema, '四。')).text?.startsWith(beginning)).toBe(true);
});

it('cannot be confirmed by somebody else', async () => {
  const { newcomer, telegram, answerTo } = scene;
  const [pema, dolma] = [newcomer(), newcomer()];
  const group = telegram.world.addGroup({ title: 'Readers', members: [pema, dolma] });
  const question = await answerTo(pema.send(group, { text: '/forget' }));
  const told = await dolma.press(question, says('button-forget'));
  expect(told).toEqual({ text: says('forget-not-yours'), showAlert: true });
  await scene.ask(dolma, '/help');
  expect(telegram.world.messages(group).at(-1)).toEqual(question);
});

it('/privacy says what is kept and how to have it erased', async () => {
  const { text } = await scene.ask(scene.anna, '/privacy');
  expect(text).toContain('90 days');
  expect(text).toContain('/forget');
});
