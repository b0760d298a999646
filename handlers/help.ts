/** /help: everything a person can ask for, within one screen of a phone. */
import type { MessageEntity } from 'telegraf/types';
import type { BotContext } from '../src/telegram/context.ts';
import { say } from '../src/telegram/reply/answer.ts';
import type { Command } from '../src/telegram/request/command.ts';

export const help: Command<BotContext> = {
  name: 'help',
  menu: 'everybody',
  isEphemeral: true,
  handle: (ctx) => {
    const words = ctx.words('help', { username: ctx.botInfo.username });
    return say(ctx, words, { entities: headings(words) });
  },
};

const HEADING = /^\p{Extended_Pictographic}.*$/gmu;

/** Makes the headings bold; blank lines above them would not fit on the screen. */
function headings(words: string): MessageEntity[] {
  return [...words.matchAll(HEADING)].map(({ 0: { length }, index: offset }) => ({
    type: 'bold',
    offset,
    length,
  }));
}
