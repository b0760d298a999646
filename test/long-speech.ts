/** A speech of three paid calls, and what the bot keeps of it until it is whole. */
import { expect } from 'vitest';
import type { Fault } from '../sandbox/service/fault-catalogue.ts';
import type { LocalService } from '../sandbox/service/local-service.ts';
import type { Message } from '../sandbox/telegram/objects.ts';
import { probe } from './media/speech.ts';
import { isVoice } from './phrases.ts';
import type { Scene } from './scene.ts';

/** Every Han character becomes three of Tibetan. */
const SENTENCES = 160;
/** For `startScene`: hastily, since to make a voice note of minutes is work. */
export const HASTY = { msPerCodePoint: 10 };

let number = 0;

/** A Chinese text that was never asked for before: one call to translate it, three to speak the Tibetan of it. */
export function newLongText(): string {
  number += 1;
  const sentence = (index: number) => `第${number}篇第${index}句话说给大家听听。\n`;
  return Array.from({ length: SENTENCES }, (_, index) => sentence(index)).join('');
}

/** The first two pieces are spoken, the third is not. */
export function holdThirdPiece({ faults }: LocalService, how?: Fault): void {
  faults.spare('speech', 2);
  if (how === undefined) faults.hold('speech');
  else faults.next('speech', how);
}

/** The texts that the service was asked to speak since `from` calls. */
export function spokenSince(service: LocalService, from: number): string[] {
  return service.calls
    .slice(from)
    .flatMap(({ kind, parameters }) => (kind === 'speech' ? [String(parameters.inputText)] : []));
}

/** One voice note has come, and it says all of these pieces. */
export async function expectWholeNote(
  scene: Scene,
  asked: Message,
  pieces: ReadonlySet<string>,
): Promise<void> {
  const note = await scene.answerTo(asked, isVoice);
  const sent = scene.telegram.world.messages(asked.chat).filter((message) => isVoice(message));
  expect(sent.filter(({ message_id }) => message_id > asked.message_id)).toHaveLength(1);
  const characters = [...pieces].reduce((sum, piece) => sum + [...piece].length, 0);
  const seconds = (characters * HASTY.msPerCodePoint) / 1000;
  const file = probe(scene.telegram.world.fileBytes(note.voice?.file_id ?? ''));
  expect(Math.abs(file.seconds - seconds)).toBeLessThan(0.2);
  expect(Math.abs((note.voice?.duration ?? 0) - seconds)).toBeLessThan(0.7);
  expect(file).toMatchObject({ container: 'ogg', codec: 'opus', channels: 1, streams: 1 });
}
