/** The direct messages of a channel: each reader has a topic, which answers stay in. */
import { expect, it } from 'vitest';
import type { Message } from '../sandbox/telegram/objects.ts';
import { hasChinese, isVoice, newTibetan } from './phrases.ts';
import { useSharedScene } from './shared-scene.ts';

const scene = useSharedScene();

it('a command is answered to the reader who sent it, also with a voice note and by a button', async () => {
  const [owner, pema, tashi] = [scene.newcomer(), scene.newcomer(), scene.newcomer()];
  const chat = scene.telegram.world.addGroup({
    title: 'News',
    isDirectMessages: true,
    members: [pema, tashi],
    admins: [owner],
  });
  chat.promote(chat.bot);
  for (const person of [pema, tashi]) {
    const isTheirs = ({ direct_messages_topic: topic }: Message) => topic?.topic_id === person.id;
    const command = person.send(chat, { text: `/chinese ${newTibetan()}` });
    const answer = await scene.answerTo(command);
    expect(answer.text).toSatisfy(hasChinese);
    expect(answer).toSatisfy(isTheirs);
    await person.press(answer, 'speak:chinese');
    expect(await scene.answerTo(answer, isVoice)).toSatisfy(isTheirs);
  }
  const inChat = scene.telegram.calls.filter(({ payload }) => payload.chat_id === chat.id);
  expect(inChat.filter(({ errorCode }) => errorCode !== undefined)).toEqual([]);
});
