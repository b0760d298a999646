/** The buttons that the bot writes: what each carries, and whose it is, since in a group anybody can press it. */
import type { CallbackQuery, MaybeInaccessibleMessage, Message } from 'telegraf/types';
import type { ParkedUpdates } from '../../store/kept/parked-updates.ts';
import type { Wholes } from '../../store/kept/results.ts';
import type { BotApi } from '../api/api.ts';
import { isGroupAdmin, type Origin, senderId } from './identity.ts';

/** One kind of button, as the handler of its callback queries describes it. */
export interface Callback<Ctx = never> {
  /**
   * What its buttons carry, at most 64 bytes (Bot API). The group `owner`, where there is one, holds a user's id, or a chat's where an
   * anonymous admin asked; `whole` the id of what the message shows only in part (store/kept/results.ts).
   */
  readonly data: RegExp;
  /** Where its buttons have an owner: what becomes of callback queries by others. */
  readonly owned?: Ownership;
  /** It acts on what its message says, so Telegram must still tell that. */
  readonly isAboutMessage?: true;
  /** One whom nobody has let in may press it, too (spec §8). */
  readonly isForStrangers?: true;
  /** It does something for the operators alone; nobody else is given such a button. */
  readonly isForOwners?: true;
  /** See `Command`. */
  readonly isPersonal?: true;
  /** Stops what runs and waits for its owner, as soon as it is received. */
  readonly stopsWork?: true;
  /** What its sender alone is told at once, beside the lane; undefined where nothing is. */
  told?(
    match: RegExpExecArray,
    kept: Kept,
    message: MaybeInaccessibleMessage | undefined,
  ): Promise<Told | undefined>;
  /** `match`: what `data` matched. */
  handle(ctx: Ctx, match: RegExpExecArray): Promise<void>;
}

/** What is kept for buttons: one whose part of it is gone changes nothing. */
export interface Kept {
  readonly parked: Pick<ParkedUpdates, 'find'>;
  readonly wholes: Pick<Wholes, 'find'>;
}

/** What is told to those whose button it is not, as keys of `locales/`. */
interface Ownership {
  readonly notYours: string;
  /** Of a chat's button, to those who are none of its admins; undefined where anybody there may press it. */
  readonly notAdmins?: string;
  /** Whether a callback query by a chat's button is made in the chat's name. */
  readonly isInOwnersName: boolean;
}

/** The rules of buttons that change a setting. */
export const OF_SETTINGS: Ownership = {
  notYours: 'settings-not-yours',
  notAdmins: 'settings-of-group',
  isInOwnersName: true,
};

/** What the sender of a callback query alone is told, as a key of `locales/`. */
export interface Told {
  readonly id: string;
  /** They have to close it, so that a sentence can be read in peace. */
  readonly isAlert: boolean;
}

/** Tells that the whole which a button names is kept no more. */
export async function toldIfGone({ groups }: RegExpExecArray, { wholes }: Kept): Promise<Told | undefined> {
  const whole = groups?.whole;
  if (whole === undefined || (await wholes.find(whole)) !== undefined) return undefined;
  return { id: 'callback-too-old', isAlert: true };
}

/** A callback query as its button means it. */
export interface MatchedCallback<Ctx = never> {
  readonly callback: Callback<Ctx>;
  readonly match: RegExpExecArray;
  readonly owner: string | undefined;
}

/** What a button's data asks for, and whose it is; undefined for data that no button of this release has. */
export function matchCallback<Ctx>(
  data: string,
  callbacks: readonly Callback<Ctx>[],
): MatchedCallback<Ctx> | undefined {
  for (const callback of callbacks) {
    const match = callback.data.exec(data);
    if (match !== null) return { callback, match, owner: match.groups?.owner };
  }
  return undefined;
}

/** Whose request a callback query is: its sender's, or on some buttons of the chat the chat's (spec §2, Groups). */
export function callbackSenderId({ from, chat }: Origin, matched: MatchedCallback | undefined): string {
  const isChats = matched?.owner === String(chat.id) && matched.callback.owned?.isInOwnersName === true;
  return isChats ? String(chat.id) : senderId({ from, chat });
}

/**
 * Why a callback query changes nothing, as a key of `locales/`; undefined where it does what it says. Its sender alone is told, in the
 * answer to it: 200 characters at most (Bot API).
 */
export async function refusalOf(
  matched: MatchedCallback | undefined,
  { from, message }: Pick<CallbackQuery, 'from' | 'message'>,
  api: Pick<BotApi, 'getChatMember'>,
): Promise<string | undefined> {
  if (matched === undefined) return 'callback-too-old';
  const { callback, owner } = matched;
  const isShown = message !== undefined && isAccessible(message);
  if (!isShown && callback.isAboutMessage) return 'callback-too-old';
  const rules = callback.owned;
  if (rules === undefined || owner === undefined || owner === String(from.id)) return undefined;
  if (message === undefined || owner !== String(message.chat.id)) return rules.notYours;
  if (rules.notAdmins === undefined || (await isGroupAdmin(api, message.chat.id, from.id))) return undefined;
  return rules.notAdmins;
}

/** The message whose button sent the callback query; undefined where Telegram no longer tells it. */
export function callbackMessage({
  callbackQuery,
}: {
  callbackQuery: CallbackQuery | undefined;
}): Message | undefined {
  const message = callbackQuery?.message;
  return message !== undefined && isAccessible(message) ? message : undefined;
}

/** Whether Telegram still tells what a message says (one that is inaccessible has the date 0). */
function isAccessible(message: MaybeInaccessibleMessage): message is Message {
  return message.date !== 0;
}
