/** Answers of work that another process has taken over: it alone sends them. */
import { expect, it } from 'vitest';
import { createLog } from '../../src/log.ts';
import { createAnswering } from '../../src/telegram/answer/answering.ts';

it('none is sent, and none is edited, once the work is left to another process', async () => {
  let isLeft = false;
  const done: string[] = [];
  const answers = { confirmed: [], confirm: async () => {} };
  const answering = createAnswering(answers, [{ id: 1, kind: 'text' }], createLog('silent'), () => {
    if (isLeft) throw new Error('left to another process');
  });
  const post = () =>
    answering.post({
      kind: 'text',
      send: async () => ({ message_id: done.push('sent') }),
      edit: async () => {
        done.push('edited');
        return 'edited';
      },
    });
  await post();
  isLeft = true;
  await expect(post()).rejects.toThrow('left to another process');
  expect(done).toEqual(['edited']);
});
