/** A speech of several paid calls that is cut off midway: what was paid for is not paid for again. */
import { DatabaseSync } from 'node:sqlite';
import { afterEach, expect, it } from 'vitest';
import type { Message } from '../sandbox/telegram/objects.ts';
import type { Person } from '../sandbox/telegram/person.ts';
import { expectWholeNote, HASTY, holdThirdPiece, newLongText, spokenSince } from './long-speech.ts';
import { buttonsOf, isProgress, isVoice, PROGRESS, says } from './phrases.ts';
import { type Scene, startScene } from './scene.ts';

const ADMIN = 777_001;

let scene: Scene;
afterEach(() => scene.close());

async function begin(env: Record<string, string> = {}): Promise<void> {
  scene = await startScene({ env, speech: HASTY });
}

function rows(query: string): Record<string, unknown>[] {
  const database = new DatabaseSync(scene.databaseFile, { readOnly: true });
  const found = database.prepare(query).all();
  database.close();
  return found;
}

/** How many pieces are kept. */
function keptPieces(): number {
  return rows('select 1 from results where audio is not null').length;
}

function askFor(text: string, person: Person = scene.anna): Message {
  return person.send(person.chat, { text: `/speak amdo ${text}` });
}

/** Asks for a text, and stops it while the first two of its three pieces are spoken: they end and are kept, the third is never bought. */
async function cancelAfterTwo(text: string, person: Person = scene.anna): Promise<void> {
  const endPieces = scene.service.faults.hold('speech', 2);
  askFor(text, person);
  await expect.poll(() => spokenSince(scene.service, 0).length).toBe(2);
  expect((await scene.ask(person, '/cancel')).text).toBe(says('cancelled'));
  endPieces();
  await expect.poll(keptPieces).toBe(2);
}

/** The different pieces that the service was asked for so far. */
function pieces(): Set<string> {
  const different = new Set(spokenSince(scene.service, 0));
  expect(different.size).toBe(3);
  return different;
}

it('a killed long speech pays for its missing piece alone', async () => {
  await begin();
  holdThirdPiece(scene.service);
  const asked = askFor(newLongText());
  await expect.poll(() => spokenSince(scene.service, 0).length).toBe(3);
  await expect.poll(keptPieces).toBe(2);
  await scene.restart('SIGKILL');
  await scene.answerTo(asked, isVoice);
  const spoken = spokenSince(scene.service, 0);
  expect(spoken).toHaveLength(4);
  expect(spoken[3]).toBe(spoken[2]);
  await expectWholeNote(scene, asked, pieces());
});

it('with a piece that failed for good, "try again" pays for that piece alone', async () => {
  // Well above what the other pieces take on a busy machine.
  await begin({ SERVICE_TIMEOUT_MS: '6000' });
  holdThirdPiece(scene.service, { type: 'hang' });
  const asked = askFor(newLongText());
  const question = await scene.answerTo(asked, ({ text }) => text === says('failure-in-doubt'));
  expect(spokenSince(scene.service, 0)).toHaveLength(3);
  const paid = await scene.paidBy(async () => {
    await scene.anna.press(question, buttonsOf(question)[0] ?? '');
    await scene.answerTo(question, isVoice);
  });
  expect(paid).toBe(1);
  expect(spokenSince(scene.service, 0)).toHaveLength(4);
  await expectWholeNote(scene, asked, pieces());
});

it('a piece that comes while another fails is kept', async () => {
  await begin();
  scene.service.faults.next('speech', 'bad-parameter');
  scene.service.faults.next('speech', { type: 'slow', ms: 500 });
  const text = newLongText();
  await scene.answerTo(askFor(text), (answer) => answer.text === says('failure-bad-request'));
  expect(spokenSince(scene.service, 0)).toHaveLength(2);
  const again = askFor(text);
  await scene.answerTo(again, isVoice);
  expect(spokenSince(scene.service, 0)).toHaveLength(4);
  await expectWholeNote(scene, again, pieces());
});

it('a cancelled speech pays for its missing pieces alone', async () => {
  await begin();
  const text = newLongText();
  await cancelAfterTwo(text);
  scene.service.faults.latency.speechFirstByte = 500;
  const again = askFor(text);
  const count = await scene.answerTo(again, isProgress);
  expect(count.text?.slice(PROGRESS.length)).toMatch(/^2\D+3/);
  await scene.answerTo(again, isVoice);
  expect(spokenSince(scene.service, 0)).toHaveLength(3);
  await expectWholeNote(scene, again, pieces());
});

it('whoever asks for the same needs calls left only for what is missing', async () => {
  await begin({ DAILY_CALLS_PER_USER: '1', ADMIN_IDS: String(ADMIN) });
  const text = newLongText();
  await cancelAfterTwo(text, scene.newcomer({ id: ADMIN }));
  const asked = askFor(text);
  await scene.answerTo(asked, isVoice);
  await expectWholeNote(scene, asked, pieces());
});

it('/forget erases kept pieces: asked for again, all is paid for again', async () => {
  await begin();
  const text = newLongText();
  await cancelAfterTwo(text);
  const question = await scene.ask(scene.anna, '/forget');
  await scene.anna.press(question, says('button-forget'));
  await scene.becomes(question, (now) => now.text === says('forgotten'));
  expect(keptPieces()).toBe(0);
  await scene.answerTo(askFor(text), isVoice);
  expect(spokenSince(scene.service, 0)).toHaveLength(5);
});

it('a piece that occurs twice in a text is paid for once', async () => {
  await begin();
  const half = `${'好'.repeat(1999)}。`;
  const asked = scene.anna.send(scene.anna.chat, { text: `/speak chinese ${half}${half}` });
  const note = await scene.answerTo(asked, isVoice);
  expect(spokenSince(scene.service, 0)).toEqual([half]);
  expect(note.voice?.duration).toBe((4000 * HASTY.msPerCodePoint) / 1000);
});

it('it is joined again from its pieces once Telegram has forgotten its file', async () => {
  await begin();
  const text = newLongText();
  const first = await scene.answerTo(askFor(text), isVoice);
  const fileId = first.voice?.file_id ?? '';
  const sound = scene.telegram.world.fileBytes(fileId);
  expect(keptPieces()).toBe(3);
  const second = await scene.answerTo(askFor(text), isVoice);
  expect(second.voice?.file_id).toBe(fileId);
  scene.telegram.world.forgetFile(fileId);
  await scene.restart();
  const again = await scene.answerTo(askFor(text), isVoice);
  expect(scene.telegram.world.fileBytes(again.voice?.file_id ?? '').equals(sound)).toBe(true);
  expect(spokenSince(scene.service, 0)).toHaveLength(3);
});
