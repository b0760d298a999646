/** Inline mode: `@bot text` in any chat. */
import { describe, expect, it } from 'vitest';
import type { InlineAnswer } from '../sandbox/telegram/objects.ts';
import { hasChinese, hasTibetan, isVoice, newChinese, newTibetan, numberOf, says } from './phrases.ts';
import { useSharedScene } from './shared-scene.ts';

const scene = useSharedScene();

/** What a person sends who picks the first result. */
function sentText({ results }: InlineAnswer): string | undefined {
  return results[0]?.input_message_content?.message_text;
}

describe('a text', () => {
  it.each([
    ['Tibetan', newTibetan(), hasChinese, 'Tibetan → Chinese'],
    ['Chinese', newChinese(), hasTibetan, 'Chinese → Tibetan'],
  ])('in %s is translated, for the person alone', async (_, text, isTranslation, description) => {
    const person = scene.newcomer();
    const paid = await scene.paidBy(async () => {
      const answer = await person.inlineQuery(text);
      expect(answer.isPersonal).toBe(true);
      expect(answer.cacheTime).toBeGreaterThanOrEqual(300);
      expect(answer.results).toHaveLength(1);
      expect(answer.results[0]).toMatchObject({ type: 'article', description });
      expect(answer.results[0]?.title).toSatisfy(isTranslation);
      expect(sentText(answer)).toSatisfy(isTranslation);
      expect(numberOf(sentText(answer))).toBe(numberOf(text));
    });
    expect(paid).toBe(1);
  });

  it('of 256 characters has a title of one line and goes out whole', async () => {
    const answer = await scene.anna.inlineQuery('很长的一句话，\n说不完。'.repeat(30).slice(0, 256));
    const { title = '' } = answer.results[0] ?? {};
    expect(title.length).toBeLessThanOrEqual(80);
    expect(title).not.toContain('\n');
    expect(sentText(answer)?.length).toBeGreaterThan(256);
  });

  it('typed letter by letter is paid for once, when the person pauses', async () => {
    const person = scene.newcomer();
    const text = newTibetan();
    const answers = () => scene.telegram.calls.filter(({ method }) => method === 'answerInlineQuery').length;
    const before = answers();
    const paid = await scene.paidBy(async () => {
      // At one moment: between two polls a busy machine may pause for as long as a person.
      const beginnings = [5, 8, 12, 15].map((length) => person.inlineQuery(text.slice(0, length)));
      const whole = await person.inlineQuery(text);
      expect(numberOf(sentText(whole))).toBe(numberOf(text));
      for (const beginning of beginnings) beginning.catch(() => {}); // nobody waits for these
    });
    expect(paid).toBe(1);
    expect(answers() - before).toBe(1);
  });

  it('that was translated before is answered without a pause and without a paid call', async () => {
    const person = scene.newcomer();
    const text = newTibetan();
    const translation = (await scene.ask(scene.anna, text)).text;
    const paid = await scene.paidBy(async () => {
      // Typed on at once: whatever waited for a pause would not be answered.
      const known = person.inlineQuery(text);
      const typedOn = person.inlineQuery(`${text} hello`);
      expect(sentText(await known)).toBe(translation);
      await typedOn;
    });
    expect(paid).toBe(1);
  });

  it('an even mix is offered both ways, for one call a pause', async () => {
    const person = scene.newcomer();
    const offers: string[][] = [];
    const costs: number[] = [];
    for (let pause = 0; pause < 3; pause += 1) {
      const paid = await scene.paidBy(async () => {
        const { results, cacheTime } = await person.inlineQuery('བོད་སྐད 汉语 77');
        offers.push(results.map(({ description }) => String(description)).toSorted());
        expect(new Set(results.map(({ id }) => id)).size).toBe(results.length);
        if (results.length === 1) expect(cacheTime).toBeLessThanOrEqual(10);
      });
      costs.push(paid);
    }
    const both = ['Chinese → Tibetan', 'Tibetan → Chinese'];
    expect(offers).toEqual([['Tibetan → Chinese'], both, both]);
    expect(costs).toEqual([1, 1, 0]);
  });

  it('with just a word of the other script goes one way, for one paid call', async () => {
    const paid = await scene.paidBy(async () => {
      const answer = await scene.newcomer().inlineQuery('བཀྲ་ཤིས་བདེ་ལེགས། ངའི་མིང་ལ་ 王 ཟེར། 78');
      expect(answer.results.map(({ description }) => description)).toEqual(['Tibetan → Chinese']);
    });
    expect(paid).toBe(1);
  });

  it('in Wylie can be sent in Tibetan script, for nothing', async () => {
    const paid = await scene.paidBy(async () => {
      const answer = await scene.newcomer().inlineQuery('Bkra shis bde legs/');
      expect(sentText(answer)).toBe('བཀྲ་ཤིས་བདེ་ལེགས།');
      expect(answer.results[0]?.description).toBe('Wylie → Tibetan');
    });
    expect(paid).toBe(0);
  });
});

it.each([
  ['nothing', '  ', 'inline-how'],
  ['neither language', 'good morning', 'inline-neither'],
])('to %s there is a hint whose button leads to the help', async (_, query, id) => {
  const person = scene.newcomer({ languageCode: 'bo' });
  const paid = await scene.paidBy(async () => {
    const answer = await person.inlineQuery(query);
    expect(answer.results).toEqual([]);
    expect(answer.button).toEqual({ text: says(id, 'bo'), start_parameter: 'help' });
  });
  expect(paid).toBe(0);
  expect((await scene.ask(person, '/start help')).text).toBe(says('help', 'bo'));
});

describe('a text whose speech is at Telegram already', () => {
  it('a kept voice note is offered free, and so is its translation’s', async () => {
    const person = scene.newcomer();
    const text = newTibetan();
    const own = await scene.ask(scene.anna, `/speak amdo ${text}`, isVoice);
    const ofTranslation = await scene.ask(scene.anna, `/speak chinese ${text}`, isVoice);
    await scene.atRest();
    const paid = await scene.paidBy(async () => {
      const answer = await person.inlineQuery(text);
      expect(answer.results.map(({ type, voice_file_id }) => voice_file_id ?? type)).toEqual([
        'article',
        ofTranslation.voice?.file_id,
        own.voice?.file_id,
      ]);
      const [, , spoken] = answer.results;
      const group = scene.telegram.world.addGroup({ title: 'Readers', members: [person] });
      const sent = person.chooseInlineResult(group, answer, spoken?.id ?? '');
      expect(sent.voice?.file_id).toBe(own.voice?.file_id);
      expect(sent.caption).toBe(`🔊 ${says('amdo')}\n${text}`);
    });
    expect(paid).toBe(0);
  });
});

it('it speaks the language that the person has chosen', async () => {
  const person = scene.newcomer();
  await scene.ask(person, '/lang zh');
  await scene.ask(person, '/help'); // what was chosen is kept when the next message is taken up
  const answer = await person.inlineQuery(newTibetan());
  expect(answer.results[0]?.description).toBe('藏文 → 中文');
});

it('it keeps nothing of what was typed for /speak', async () => {
  const person = scene.newcomer();
  await person.inlineQuery(newTibetan());
  expect((await scene.ask(person, '/speak')).text).toBe(says('nothing-to-speak'));
});

it("it does not wait behind the person's slow work", async () => {
  const person = scene.newcomer();
  const endCall = scene.service.faults.hold('translation');
  const asked = person.send(person.chat, { text: newTibetan() });
  await scene.underWay();
  const answer = await person.inlineQuery(newTibetan());
  expect(answer.results).toHaveLength(1);
  expect(scene.telegram.world.messages(person.chat).filter(({ text }) => hasChinese(text))).toEqual([]);
  endCall();
  await scene.answerTo(asked);
});

it('what is sent from it in the private chat is not translated back', async () => {
  const person = scene.newcomer();
  const answer = await person.inlineQuery(newTibetan());
  const [result] = answer.results;
  const paid = await scene.paidBy(async () => {
    const sent = person.chooseInlineResult(person.chat, answer, result?.id ?? '');
    expect(sent.text).toSatisfy(hasChinese);
    expect(await scene.everythingAfter(sent, person)).toEqual([]);
  });
  expect(paid).toBe(0);
});

it('a query from while the bot was down stays unanswered and unpaid', async () => {
  const person = scene.newcomer();
  await scene.bot().stop();
  person.inlineQuery(newTibetan()).catch(() => {}); // nobody waits for it any more
  const paid = await scene.paidBy(async () => {
    await scene.restart();
    expect(sentText(await person.inlineQuery(newTibetan()))).toSatisfy(hasChinese);
  });
  expect(paid).toBe(1);
});
