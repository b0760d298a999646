/** Commands: how a handler's file describes one, and which a message begins with. */
import type { MessageEntity, UserFromGetMe } from 'telegraf/types';
import type { Callback } from './callback.ts';
import type { Worded } from './text-in.ts';

/** Who sees a command in the menu: everybody everywhere, everybody in private, a group's admins, or the operators. */
export type Menu = 'everybody' | 'private' | 'group-admins' | 'owners';

/** One command; `Ctx` is what its handler is given, which a reader of the description alone need not know. */
export interface Command<Ctx = never> {
  /** In lower case. What it does stands in `locales/` under `command-NAME`. */
  readonly name: string;
  readonly menu: Menu;
  /** What others are told who ask a command for the operators, as a key of `locales/`, which may name their `id`; `owners-only` unless given. */
  readonly notOwners?: string;
  /** Its answer is no business of a group's: asked there, it is not done, which is said. */
  readonly isPrivateOnly?: true;
  /** What it can be about: a text or a picture of its own, or the one replied to. Unset for one that sets or tells something. */
  readonly about?: readonly ('text' | 'picture')[];
  /** Of what follows the command, the text that it is about; all of it where this is unset. */
  textIn?(payload: string): string;
  /** In groups only the bot sees it, and who sent it the answer (`ephemeral.ts`). */
  readonly isEphemeral?: true;
  /** Its answer tells of its person: where they alone cannot be shown it in the group, it comes in the private chat. */
  readonly isPersonal?: true;
  /** Stops what runs and waits for the same person, as soon as it is received. */
  readonly stopsWork?: true;
  /** Whether one may ask it, with this payload, whom nobody has let in (spec §8); nobody may where this is unset. */
  isForStrangers?(payload: string): boolean;
  /** What it does for one who is blocked, and hears nothing of it. */
  handleUnanswered?(ctx: Ctx): Promise<void>;
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

type Me = Pick<UserFromGetMe, 'username'>;

interface CommandIn {
  /** In lower case. */
  readonly name: string;
  /** What follows it, without outer white space. */
  readonly payload: string;
  /** The bot that it names, in lower case. */
  readonly addressee: string | undefined;
}

/** The command that a text begins with, be it this bot's or another's. */
export function textCommandIn(message: object, me: Me): CommandIn | undefined {
  const { text = '', entities }: Worded = message;
  return commandIn(text, entities, me);
}

/** The command that a caption begins with; undefined also where it names another bot. */
export function captionCommandIn(message: object, me: Me): CommandIn | undefined {
  const { caption = '', caption_entities }: Worded = message;
  const command = commandIn(caption, caption_entities, me);
  return command !== undefined && isFor(command, me) ? command : undefined;
}

/** Whether a command is meant for this bot, as far as it names one. */
export function isFor({ addressee }: CommandIn, { username }: Me): boolean {
  return addressee === undefined || addressee === username.toLowerCase();
}

/** What a message is about that asks a bot for something, be it this one or another; undefined where it begins with no command. */
export function wordsBesideCommand(message: object, { me, commands }: Known): string | undefined {
  const { text, caption = '', entities, caption_entities }: Worded = message;
  const command = commandIn(text ?? caption, entities ?? caption_entities, me);
  if (command === undefined) return undefined;
  const { textIn } = commands.find(({ name }) => name === command.name) ?? {};
  return textIn === undefined ? command.payload : textIn(command.payload);
}

/** What may stand between a command and what it is about, with a space or without: `/speak：你好`. */
const SEPARATORS = /^[\s,:，：、]+/u;

function commandIn(words: string, entities: readonly MessageEntity[] = [], me: Me): CommandIn | undefined {
  const isFirst = ({ offset }: MessageEntity) => addressesOnly(words.slice(0, offset), me);
  const entity = entities.find((one) => one.type === 'bot_command' && isFirst(one));
  if (entity === undefined) return undefined;
  const end = entity.offset + entity.length;
  const [name = '', addressee] = words
    .slice(entity.offset + 1, end)
    .toLowerCase()
    .split('@');
  return { name, addressee, payload: words.slice(end).replace(SEPARATORS, '').trimEnd() };
}

/** Whether nothing stands there but a mention of the bot, as people put it before a command in a group: `@bot /speak`. */
function addressesOnly(words: string, { username }: Me): boolean {
  const before = words.trim().toLowerCase();
  return before === '' || before === `@${username.toLowerCase()}`;
}
