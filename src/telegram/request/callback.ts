/** The kinds of button: the data that each carries, and its owner, since in a group anybody can press it. */
import type { Message } from 'telegraf/types';
import type { Requests } from '../../queue/requests.ts';
import type { Results, WholeKind } from '../../store/kept/results.ts';
import type { Pauses } from '../../store/money/pauses.ts';
import type { BotApi } from '../api/api.ts';
import type { Arguments } from '../locale.ts';
import { isGroupAdmin } from './identity.ts';
import type { UsableCallbackQuery } from './update.ts';

/** One kind of button, as the handler of its callback queries describes it. */
export interface Callback<Ctx = never> {
  /**
   * Matches the data of its buttons, at most 64 bytes (Bot API). The group `owner`, if any, holds the id of a user, or of the chat if an
   * anonymous admin asked; the group `whole` holds the id of the stored text or files (store/kept/results.ts).
   */
  readonly data: RegExp;
  /** The rules for callback queries by others, if its buttons have an owner. */
  readonly owned?: Ownership;
  /** It acts on the text of its message, so Telegram must still deliver that. */
  readonly isAboutMessage?: true;
  /** The notice for a press of a button that its message no longer has, as a key of `locales/`; by default, that it is too old. */
  readonly gone?: string;
  /** Strangers may press it, too. */
  readonly isForStrangers?: true;
  readonly isForAdmins?: true;
  /** See `Command`. */
  readonly isPersonal?: true;
  /** Stops its owner's running and waiting work as soon as it is received. */
  readonly stopsWork?: true;
  /** The notice in the answer to the callback query; undefined for none. */
  notice?(
    match: RegExpExecArray,
    stores: ButtonStores,
    message: Message,
  ): Promise<CallbackNotice | undefined>;
  handle(ctx: Ctx, match: RegExpExecArray): Promise<void>;
}

/** The stores that buttons refer to. A button whose entry is gone changes nothing. */
export interface ButtonStores {
  readonly requests: Pick<Requests, 'isParked'>;
  readonly pauses: Pick<Pauses, 'left'>;
  readonly results: Pick<Results, 'findWhole'>;
}

/** The notices for a press by anybody but the owner, as keys of `locales/`. */
interface Ownership {
  readonly notYours: string;
  /** A chat's button: the notice for members who are no group admins; unset if any member may press it. In a channel only admins may. */
  readonly notGroupAdmins?: string;
}

export const OF_SETTINGS: Ownership = { notYours: 'settings-not-yours', notGroupAdmins: 'settings-of-group' };

/** A notice to the sender of a callback query, as a key of `locales/`. */
export interface CallbackNotice {
  readonly id: string;
  readonly args?: Arguments;
  /** An alert stays until they close it, so that they have time to read it. */
  readonly isAlert: boolean;
}

/** Gives a notice if the text or files stored for a button (`whole`) have expired. */
export function noticeIfGone(kind: WholeKind): Callback['notice'] {
  return async ({ groups }, { results }) => {
    const whole = groups?.whole;
    if (whole === undefined || (await results.findWhole(kind, whole)) !== undefined) return undefined;
    return { id: 'callback-too-old', isAlert: true };
  };
}

/** A button that was pressed. */
export interface Press<Ctx = never> {
  readonly kind: 'callback';
  readonly query: UsableCallbackQuery;
  /** Undefined for data that no button of this release has. */
  readonly matched: { readonly callback: Callback<Ctx>; readonly match: RegExpExecArray } | undefined;
}

export function pressOf<Ctx>(query: UsableCallbackQuery, callbacks: readonly Callback<Ctx>[]): Press<Ctx> {
  for (const callback of callbacks) {
    const match = callback.data.exec(query.data);
    if (match !== null) return { kind: 'callback', query, matched: { callback, match } };
  }
  return { kind: 'callback', query, matched: undefined };
}

/** The id of the person who makes the request: the sender, or the chat for a chat's button. */
export function callbackSenderId({ query, matched }: Press): string {
  const chat = String(query.message.chat.id);
  return matched?.match.groups?.owner === chat ? chat : String(query.from.id);
}

export function callbackDataIn(message: Message): string[] {
  const buttons = ('reply_markup' in message && message.reply_markup?.inline_keyboard.flat()) || [];
  return buttons.flatMap((button) => ('callback_data' in button ? button.callback_data : []));
}

/**
 * Why a callback query is refused, as a key of `locales/`; undefined if it is allowed. The answer to the query shows the sentence: 200
 * characters at most (Bot API).
 *
 * A client can send any data for any message, so the message must have a button with that data. Telegram strips the buttons of messages
 * that are a day or two old; there, forged data can do no more than a command of the same user, or needs an id that only the button
 * reveals.
 */
export async function refusalOf(
  { query, matched }: Press,
  api: Pick<BotApi, 'getChatMember'>,
): Promise<string | undefined> {
  if (matched === undefined) return 'callback-too-old';
  const { from, message } = query;
  const { callback, match } = matched;
  const owner = match.groups?.owner;
  if (isShown(message) ? !callbackDataIn(message).includes(match.input) : callback.isAboutMessage)
    return callback.gone ?? 'callback-too-old';
  const rules = callback.owned;
  if (rules === undefined || owner === undefined || owner === String(from.id)) return undefined;
  if (owner !== String(message.chat.id)) return rules.notYours;
  // Readers do not decide what their channel pays for and posts.
  const isForAnybody = rules.notGroupAdmins === undefined && message.chat.type !== 'channel';
  if (isForAnybody || (await isGroupAdmin(api, message.chat.id, from.id))) return undefined;
  return rules.notGroupAdmins ?? rules.notYours;
}

/** Whether Telegram still delivers the content of the button's message: an inaccessible one has the date 0. */
export function isShown(message: Message): boolean {
  return message.date !== 0;
}
