/** A translation of several pieces grows in a private chat while its pieces come; the answer is an ordinary message. */
import { afterEach, describe, expect, it } from 'vitest';
import type { ServiceCall } from '../sandbox/service/call-log.ts';
import type { Message } from '../sandbox/telegram/objects.ts';
import type { Person } from '../sandbox/telegram/person.ts';
import { hasChinese, isProgress, isVoice, newTibetan, numberOf } from './phrases.ts';
import { sendPage, sendPages } from './pictures.ts';
import { useSharedScene } from './shared-scene.ts';

const scene = useSharedScene();
afterEach(() => scene.service.faults.clear());

/** A text of two paid calls. */
function aLongText(): string {
  return [newTibetan(), newTibetan()].map((text) => `${text} ${'བཀྲ་ཤིས། '.repeat(200)}`.trim()).join('\n\n');
}

const isAnswer = ({ text }: Message) => hasChinese(text);

/** The texts of the drafts that were sent while this was asked and answered, and the answer. */
async function draftsFor(asked: Message): Promise<{ drafts: string[]; answer: Message }> {
  const answer = await scene.answerTo(asked, isAnswer);
  const drafts = scene.telegram.calls
    .filter(({ method, payload }) => method === 'sendMessageDraft' && payload.chat_id === asked.chat.id)
    .map(({ payload }) => String(payload.text ?? ''));
  return { drafts, answer };
}

/** Sends a text of two pieces, both of which wait at the service; gives what ends each. Which comes there first is nobody's promise. */
async function inPieces(person: Person) {
  const text = aLongText();
  const ends = [scene.service.faults.hold('translation'), scene.service.faults.hold('translation')];
  const since = scene.service.calls.length;
  const asked = person.send(person.chat, { text });
  const isFirst = ({ parameters }: ServiceCall) =>
    String(parameters.inputText).includes(numberOf(text) ?? '?');
  const endFirst = await scene.telegram.world.waitUntil(() => {
    const calls = scene.service.calls.slice(since).filter(({ kind }) => kind === 'translation');
    const isBegun = scene.telegram.world.draft(person.chat) !== undefined && calls.length === 2;
    return isBegun && calls.some(isFirst) && ends[calls.findIndex(isFirst)];
  });
  return { asked, endFirst, endSecond: () => ends.find((end) => end !== endFirst)?.() };
}

describe('a translation of several pieces', () => {
  it('grows by its beginning, and ends as an ordinary message', async () => {
    const person = scene.newcomer();
    const paid = await scene.paidBy(async () => {
      const { asked, endFirst, endSecond } = await inPieces(person);
      endFirst();
      await scene.telegram.world.waitUntil(() => hasChinese(scene.telegram.world.draft(person.chat)?.text));
      endSecond();
      const { drafts, answer } = await draftsFor(asked);
      expect(drafts).toHaveLength(2);
      expect(drafts[0]).toBe('');
      expect(drafts[1]).toSatisfy(hasChinese);
      expect(answer.text?.startsWith(drafts[1] ?? '?')).toBe(true);
      expect(answer.text?.length).toBeGreaterThan(drafts[1]?.length ?? 0);
      expect((await scene.everythingAfter(asked, person)).filter(isProgress)).toEqual([]);
    });
    expect(paid).toBe(2);
    expect(scene.telegram.world.draft(person.chat)).toBeUndefined();
  });

  it('shows no piece before its turn', async () => {
    const person = scene.newcomer();
    const ended = () => scene.log().split('"type":"try"').length;
    const before = ended();
    const { asked, endFirst, endSecond } = await inPieces(person);
    endSecond();
    await scene.telegram.world.waitUntil(() => ended() > before);
    endFirst();
    expect((await draftsFor(asked)).drafts).toEqual(['']);
  });

  it.each([
    ['whose draft is refused', 'private', 1],
    ['in a group, which has no drafts,', 'group', 0],
  ])('%s is counted instead, and no other draft is tried', async (_, where, tried) => {
    const person = scene.newcomer();
    const chat =
      where === 'group'
        ? scene.telegram.world.addGroup({ title: 'Readers', members: [person] })
        : person.chat;
    const description = 'Bad Request: DRAFTS_FORBIDDEN';
    if (tried > 0) scene.telegram.faults.next('sendMessageDraft', { status: 400, description });
    const paid = await scene.paidBy(async () => {
      const endPieces = scene.service.faults.hold('translation', 2);
      const asked = person.send(chat, { text: `/chinese ${aLongText()}` });
      await scene.answerTo(asked, isProgress);
      endPieces();
      expect((await draftsFor(asked)).drafts).toHaveLength(tried);
    });
    expect(paid).toBe(2);
  });

  it('is stopped at its draft like by *Cancel*: nothing comes of it, and what is asked next is answered', async () => {
    const person = scene.newcomer();
    const { asked } = await inPieces(person);
    person.stopDraft();
    const next = newTibetan();
    const answer = await scene.ask(person, next, isAnswer);
    expect(numberOf(answer.text)).toBe(numberOf(next));
    expect(await scene.everythingAfter(asked, person)).toEqual([answer]);
  });

  it('is counted to its end after the pages of an album were, and has no draft beside that', async () => {
    const person = scene.newcomer();
    await scene.set(person, 'photo', 'translate');
    const page = (): string => `${newTibetan()} ${'བཀྲ་ཤིས། '.repeat(130)}`.trim();
    const endPieces = scene.service.faults.hold('translation', 2);
    const [asked] = await sendPages(person, person.chat, [page(), page(), page()]);
    await scene.answerTo(asked, isProgress);
    endPieces();
    expect((await draftsFor(asked)).drafts).toEqual([]);
  });

  it('is counted, with all that follows, where it is one step of several', async () => {
    const person = scene.newcomer();
    await scene.set(person, 'photo', 'speak');
    const endSpeech = scene.service.faults.hold('speech');
    const asked = await sendPage(person, person.chat, newTibetan());
    const count = await scene.answerTo(asked, isProgress);
    expect(count.text).toMatch(/[0-2]\/3$/);
    expect((await draftsFor(asked)).drafts).toEqual([]);
    endSpeech();
    await scene.answerTo(asked, isVoice);
  });
});
