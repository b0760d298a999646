/** What can be asked of the bot with a command or a button, as the handler of each describes it (handlers/), and the list of both. */
import type { UserFromGetMe } from 'telegraf/types';
import type { Callback } from './callback.ts';

/** Who sees a command in the menu: everybody everywhere, everybody in private, a group's admins, or those who run the bot. */
export type Menu = 'everybody' | 'private' | 'group-admins' | 'owners';

/** One command; `Ctx` is what its handler is given, which whoever only reads the description need not know. */
export interface Command<Ctx = never> {
  /** In lower case. What it does stands in `locales/` under `command-NAME`. */
  readonly name: string;
  readonly menu: Menu;
  /** What it can be about: a text or a picture of its own, or the one replied to. Unset for one that sets or tells something. */
  readonly about?: readonly ('text' | 'picture')[];
  /** Of what follows the command, the text that it is about; all of it where this is unset. */
  textIn?(payload: string): string;
  /** Stops what runs and waits for the same person, as soon as it is received. */
  readonly stopsWork?: true;
  /** The buttons that it writes. */
  readonly callbacks?: readonly Callback<Ctx>[];
  /** `payload`: what follows the command, without outer white space. */
  handle(ctx: Ctx, payload: string): Promise<void>;
}

/** All that can be asked of this bot. */
export interface Vocabulary<Ctx = never> {
  /** In the order of the menus. */
  readonly commands: readonly Command<Ctx>[];
  /** Of the commands, and of answers that no command has asked for. */
  readonly callbacks: readonly Callback<Ctx>[];
}

/** What a message is understood by: the bot's own names, and what can be asked of it. */
export interface Known<Ctx = never> extends Vocabulary<Ctx> {
  readonly me: UserFromGetMe;
}
