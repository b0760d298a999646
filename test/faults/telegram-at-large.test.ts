/** The fault matrix of Telegram calls outside any request: fetching updates, and answering queries. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buttonsOf, hasTibetan, newChinese } from '../phrases.ts';
import { BROKEN_CONNECTIONS, NO_ANSWERS, ODD_BUT_TRUE } from './breakages.ts';
import { type Stage, startStage } from './stage.ts';
import { KINDS, REFUSALS } from './telegram-refusals.ts';

const FAULTS = Object.entries({ ...BROKEN_CONNECTIONS, ...ODD_BUT_TRUE, ...NO_ANSWERS, ...REFUSALS }).filter(
  ([fault]) => KINDS.includes(fault),
);

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());

async function isAnswered(): Promise<void> {
  expect((await stage.scene.ask(stage.scene.newcomer(), newChinese())).text).toSatisfy(hasTibetan);
}

describe('a question for updates that meets', () => {
  it.each(FAULTS)('%s loses none, and is asked again', async (_fault, breakage) => {
    const rule = stage.telegram.breakNext({ call: 'getUpdates', mark: '', breakage });
    // The question that stands is answered with the first; the next one breaks.
    await isAnswered();
    await isAnswered();
    expect(rule.broken()).toBe(1);
  });
});

describe('a query whose answer meets', () => {
  it.each(FAULTS)('%s is answered all the same', async (_fault, breakage) => {
    const { scene, telegram } = stage;
    const [presser, typist] = [scene.newcomer(), scene.newcomer()];
    const offer = await scene.ask(presser, '/dialect');
    const rules = ['answerCallbackQuery', 'answerInlineQuery'].map((call) =>
      telegram.breakNext({ call, mark: '', breakage }),
    );
    const pressed = presser.press(offer, 'dialect:amdo');
    const answer = await typist.inlineQuery(newChinese());
    await pressed;
    expect(answer.results).toHaveLength(1);
    await scene.becomes(offer, (now) => buttonsOf(now).length === 0);
    expect(rules.map(({ broken }) => broken())).toEqual([1, 1]);
  });
});
