/** The buttons that the bot writes: what each carries, and whose it is, since in a group anybody can press it. */
import type { CallbackQuery, MaybeInaccessibleMessage, Message } from 'telegraf/types';

/**
 * The data of each kind of button, at most 64 bytes (Bot API). `owner` is a person's id, or a chat's where an anonymous admin asked;
 * `whole` the id of what the message shows only in part (store/kept/wholes.ts).
 */
export const PRESSES = {
  speak: /^speak:(\w+)(?::(?<whole>[\w-]+))?$/,
  translate: /^translate(?::(?<whole>[\w-]+))?$/,
  read: /^read:(\w+)(?::(?<whole>[\w-]+))?$/,
  dialect: /^dialect:(\w+)(?::(?<owner>-?\d+))?$/,
  voice: /^voice:(\w+)(?::(?<owner>-?\d+))?$/,
  reading: /^reading:(\w+)(?::(?<owner>-?\d+))?$/,
  lang: /^lang:(\w+)(?::(?<owner>-?\d+))?$/,
  start: /^start:(\w+)$/,
  sample: /^sample$/,
  set: /^set:(?<owner>-?\d+):(\w+):(\w+)$/,
  forget: /^forget:(?<owner>-?\d+)$/,
  again: /^again:([\w-]+):(?<owner>-?\d+)$/,
  cancel: /^cancel:(?<owner>-?\d+)$/,
} as const;

export type PressKind = keyof typeof PRESSES;

/** What is told to those whose button it is not, as keys of `locales/`. */
interface Rules {
  readonly notYours: string;
  /** Of a chat's button, to those who are none of its admins; undefined where anybody there may press it. */
  readonly notAdmins?: string;
  /** Whether a press on a chat's button is made in the chat's name. */
  readonly isInOwnersName: boolean;
}

const OF_SETTINGS: Rules = {
  notYours: 'settings-not-yours',
  notAdmins: 'settings-of-group',
  isInOwnersName: true,
};

const OWNED: Partial<Record<PressKind, Rules>> = {
  dialect: OF_SETTINGS,
  voice: OF_SETTINGS,
  reading: OF_SETTINGS,
  lang: OF_SETTINGS,
  set: OF_SETTINGS,
  forget: { notYours: 'forget-not-yours', notAdmins: 'forget-not-yours', isInOwnersName: false },
  // What was asked in a chat's name, anybody there may have repeated.
  again: { notYours: 'try-again-not-yours', isInOwnersName: false },
  cancel: { notYours: 'cancel-not-yours', notAdmins: 'cancel-not-yours', isInOwnersName: true },
};

/** These act on what the message says, so they need it. */
const ABOUT_MESSAGE: ReadonlySet<PressKind> = new Set(['speak', 'translate']);

/** What a button's data asks for, and whose it is; undefined for data that no button of this release has. */
export function pressIn(
  data: string,
): { kind: PressKind; match: RegExpExecArray; owner?: string } | undefined {
  for (const kind of Object.keys(PRESSES) as PressKind[]) {
    const match = PRESSES[kind].exec(data);
    if (match === null) continue;
    const owner = match.groups?.owner;
    return { kind, match, ...(owner === undefined ? {} : { owner }) };
  }
  return undefined;
}

/** Whether a press with this data in this chat is made in the chat's name. */
export function isInChatsName(data: string, chat: number): boolean {
  const press = pressIn(data);
  return press?.owner === String(chat) && OWNED[press.kind]?.isInOwnersName === true;
}

/**
 * Why a press changes nothing, as a key of `locales/`; undefined where it does what it says. It is told to the presser alone, in the
 * answer to the callback query: 200 characters at most (Bot API). `isAdmin` tells whether a user is one of a chat's admins.
 */
export async function refusalOf(
  { data, from, message }: CallbackQuery.DataQuery,
  isAdmin: (chat: number, user: number) => Promise<boolean>,
): Promise<string | undefined> {
  const press = pressIn(data);
  if (press === undefined) return 'press-too-old';
  const isShown = message !== undefined && isAccessible(message);
  if (!isShown && ABOUT_MESSAGE.has(press.kind)) return 'press-too-old';
  if (press.kind === 'read' && press.match.groups?.whole === undefined && !isReply(message))
    return 'photo-gone';
  const rules = OWNED[press.kind];
  if (rules === undefined || press.owner === undefined || press.owner === String(from.id)) return undefined;
  if (message === undefined || press.owner !== String(message.chat.id)) return rules.notYours;
  if (rules.notAdmins === undefined || (await isAdmin(message.chat.id, from.id))) return undefined;
  return rules.notAdmins;
}

/** Whether Telegram still tells of a message that it replies to. */
function isReply(message: MaybeInaccessibleMessage | undefined): boolean {
  return message !== undefined && ('reply_to_message' in message || 'external_reply' in message);
}

/** Whether Telegram still tells what a message says (one that is inaccessible has the date 0). */
export function isAccessible(message: MaybeInaccessibleMessage): message is Message {
  return message.date !== 0;
}
