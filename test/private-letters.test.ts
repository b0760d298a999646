/** Tibetan in the private characters of a Chinese national standard is read as what it shows, wherever it comes from. */
import { expect, it } from 'vitest';
import { docxFile, sendFile, textFile } from './files.ts';
import { aDocx, paragraph } from './media/docxes.ts';
import { hasChinese, isVoice, says } from './phrases.ts';
import { useSharedScene } from './shared-scene.ts';

const scene = useSharedScene();

/** The name of a news agency, with four stacks as one character each, and the same in Unicode. */
const PRIVATE = '\uF5BCན་\uF5EC་གསར་འ\uF363ར་ཁང་';
const UNICODE = 'ཤིན་ཧྭ་གསར་འགྱུར་ཁང་';
let count = 0;
/** Each text is new. */
const written = () => {
  count += 1;
  return `${PRIVATE} ${count}`;
};
const read = () => `${UNICODE} ${count}`;
/** A stack of the other extension, for which there is no table. */
const UNKNOWN = `\u{F1600}${UNICODE}`;

it('a message with them is translated as what it shows', async () => {
  expect((await scene.ask(scene.newcomer(), written())).text).toSatisfy(hasChinese);
  expect(scene.lastCall('translation')?.inputText).toBe(read());
  // The same text in Unicode is kept.
  expect(await scene.paidBy(async () => void (await scene.ask(scene.newcomer(), read())))).toBe(0);
});

it('a file with them is translated as what it shows', async () => {
  for (const bytes of [Buffer.from(written()), Buffer.from(`\uFEFF${written()}`, 'utf16le')]) {
    const answer = await scene.answerTo(await sendFile(scene.newcomer(), textFile(bytes)));
    expect(answer.text).toSatisfy(hasChinese);
  }
  expect(scene.lastCall('translation')?.inputText).toBe(read());
  await scene.answerTo(await sendFile(scene.newcomer(), docxFile(aDocx(paragraph(written())))));
  expect(scene.lastCall('translation')?.inputText).toBe(read());
});

it('/speak, /wylie and a quoted part mean what they show', async () => {
  const person = scene.newcomer();
  expect(await scene.ask(person, `/speak amdo ${written()}`)).toSatisfy(isVoice);
  expect(scene.lastCall('speech')?.inputText).toBe(read());
  expect((await scene.ask(person, `/wylie ${PRIVATE}`)).text).toBe("shin hwa gsar 'gyur khang");
  const said = person.send(person.chat, { text: `${written()}བོད་ཡིག` });
  await scene.answerTo(said);
  await scene.answerTo(person.send(person.chat, { text: '/chinese', replyTo: said, quote: PRIVATE }));
  expect(scene.lastCall('translation')?.inputText).toBe(UNICODE);
});

it('an inline query with them is translated', async () => {
  const { results } = await scene.newcomer().inlineQuery(written());
  expect(results[0]?.input_message_content?.message_text).toSatisfy(hasChinese);
  expect(scene.lastCall('translation')?.inputText).toBe(read());
});

it('a mention behind them is still found', async () => {
  const person = scene.newcomer();
  const group = scene.telegram.world.addGroup({ title: 'Readers', members: [person] });
  await scene.answerTo(person.send(group, { text: `${written()} @lotsawa_bot` }));
  expect(scene.lastCall('translation')?.inputText).toBe(read());
});

it.each(['', '/speak amdo '])(
  'unknown ones are refused with one sentence, and nothing is paid: "%s"',
  async (command) => {
    const person = scene.newcomer();
    const paid = await scene.paidBy(async () => {
      expect((await scene.ask(person, `${command}${UNKNOWN}`)).text).toBe(says('failure-private-letters'));
    });
    expect(paid).toBe(0);
  },
);
