/** A guest query as a handler is given it, and its answer: one message, and links that lead on in the bot's own chat. */
import type { Payer } from '../../interpreter/request.ts';
import { dominantLanguage } from '../../language/script.ts';
import { TELEGRAM_LIMIT } from '../../language/split.ts';
import { truncate } from '../../language/truncate.ts';
import type { PersonSession } from '../../store/kept/sessions.ts';
import { type Button, type Keyboard, keptForButton } from '../answer/buttons.ts';
import type { HandlerDeps } from '../deps.ts';
import type { Arguments } from '../locale.ts';
import type { GuestMessage } from './guest-update.ts';

export interface GuestQuery {
  readonly bot: HandlerDeps;
  readonly message: GuestMessage;
  /** Who asks: the chat has no part in it, so no group pays. */
  readonly asker: Payer;
  readonly session: Readonly<PersonSession>;
  /** Aborts when the process stops for good. */
  readonly signal: AbortSignal;
  /** A sentence of `locales/` in the person's language. */
  words(id: string, args?: Arguments): string;
}

export interface GuestAnswer {
  readonly text: string;
  /** What the link to speech speaks; unset for the bot's own words. */
  readonly about?: string;
}

/** What follows `?start=` in the links under a guest's answer: speak what is kept under this id, or show all of it. */
export const GUEST_LINK = /^(say|all)-([\w-]{22})$/;

/** The one message that holds an answer, or as much of it as fits. */
export function shownText({ text }: GuestAnswer): string {
  return truncate(text, TELEGRAM_LIMIT);
}

/** The links under an answer; without those whose text could not be kept. */
export async function guestLinks(query: GuestQuery, answer: GuestAnswer): Promise<Keyboard> {
  const { bot, asker } = query;
  const { text, about } = answer;
  const link = async (place: 'say' | 'all', label: string, whole: string): Promise<Button[]> => {
    const id = await keptForButton(bot, asker.person, whole);
    if (id === undefined) return [];
    return [{ text: query.words(label), url: `https://t.me/${bot.me.username}?start=${place}-${id}` }];
  };
  const isSpoken = about !== undefined && dominantLanguage(about) !== undefined;
  return [
    isSpoken ? await link('say', 'button-speak-there', about) : [],
    shownText(answer) === text ? [] : await link('all', 'button-whole', text),
  ];
}
