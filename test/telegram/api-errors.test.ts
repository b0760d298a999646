/** What an error of a Bot API call means, told by its words. */
import { TelegramError } from 'telegraf';
import { expect, it } from 'vitest';
import {
  forbidsKind,
  forbidsVoice,
  isNotModified,
  isUnreachable,
  outcomeOfEdit,
} from '../../src/telegram/api/api-errors.ts';
import { NetworkError } from '../../src/telegram/api/transport.ts';

function refusal(error_code: number, description: string): TelegramError {
  return new TelegramError({ error_code, description });
}

it('every refusal that means something is known by its words', async () => {
  const upgraded = refusal(400, 'Bad Request: group chat was upgraded to a supergroup chat');
  const blocked = refusal(403, 'Forbidden: bot was blocked by the user');
  const noVoice = refusal(400, 'Bad Request: VOICE_MESSAGES_FORBIDDEN');
  const same = refusal(
    400,
    'Bad Request: message is not modified: specified new message content is the same',
  );
  const closed = refusal(400, 'Bad Request: TOPIC_CLOSED');
  const gone = refusal(400, 'Bad Request: message to edit not found');
  const old = refusal(400, "Bad Request: message can't be edited");
  const knows = (error: unknown) => [isUnreachable, forbidsVoice, isNotModified].map((check) => check(error));
  const noRights = (kind: string) =>
    refusal(400, `Bad Request: not enough rights to send ${kind} to the chat`);
  expect(knows(noRights('text messages'))).toEqual([true, false, false]);
  expect(knows(noRights('voice notes'))).toEqual([false, true, false]);
  expect([noRights('documents'), noRights('text messages')].map(forbidsKind)).toEqual([true, false]);
  const forbidden = (kind: string) => refusal(403, `Forbidden: CHAT_SEND_${kind}_FORBIDDEN`);
  expect(knows(forbidden('PLAIN'))).toEqual([true, false, false]);
  expect(knows(forbidden('VOICES'))).toEqual([false, true, false]);
  expect([forbidden('DOCS'), forbidden('PLAIN')].map(forbidsKind)).toEqual([true, false]);
  expect(knows(upgraded)).toEqual([false, false, false]);
  expect(knows(blocked)).toEqual([true, false, false]);
  expect(knows(closed)).toEqual([true, false, false]);
  expect(knows(noVoice)).toEqual([false, true, false]);
  expect(knows(same)).toEqual([false, false, true]);
  expect(knows(gone)).toEqual([false, false, false]);
  const outcome = (error: unknown) => outcomeOfEdit(Promise.reject(error));
  expect(await outcome(same)).toBe('edited');
  expect(await outcome(gone)).toBe('deleted');
  expect(await outcome(refusal(400, 'Bad Request: MESSAGE_ID_INVALID'))).toBe('deleted');
  expect(await outcome(old)).toBe('refused');
  expect(await outcome(upgraded)).toBe('refused');
  await expect(outcome(blocked)).rejects.toBe(blocked);
  expect(knows(old)).toEqual([false, false, false]);
  expect(knows(new NetworkError('ECONNREFUSED'))).toEqual([false, false, false]);
});
