/** The settings of a person: their values, names and buttons. */
import { INTERFACE_LANGUAGES, type InterfaceLanguage } from '../../language/interface-language.ts';
import { LANGUAGES } from '../../language/script.ts';
import { DIALECTS, VOICES } from '../../language/variety.ts';
import { type CallKind, yuan } from '../../paid-calls.ts';
import { type PersonSession, PHOTO_WISHES } from '../../store/kept/sessions.ts';
import type { BotContext } from '../context.ts';
import type { Arguments } from '../locale.ts';
import type { Button, Keyboard } from './buttons.ts';

export interface Setting<V extends string = string> {
  readonly icon: string;
  readonly values: readonly V[];
  present(ctx: BotContext): V;
  label(ctx: BotContext, value: V): string;
  choose(session: PersonSession, value: V): void;
}

/** Each language in itself, so that people find theirs among languages they cannot read. */
const INTERFACE_LANGUAGE_NAMES: Readonly<Record<InterfaceLanguage, string>> = {
  en: 'English',
  zh: '简体中文',
  'zh-Hant': '繁體中文',
  bo: 'བོད་ཡིག',
};

const language: Setting<InterfaceLanguage> = {
  icon: '🌐',
  values: INTERFACE_LANGUAGES,
  present: (ctx) => ctx.language,
  label: (_, value) => INTERFACE_LANGUAGE_NAMES[value],
  choose: (session, value) => {
    session.interfaceLanguage = value;
  },
};

/** By their names in the sentence `settings`, in the order of the rows. */
export const SETTINGS = {
  language,
  target: kept('target', '🔁', ['auto', ...LANGUAGES], (ctx, value) => ctx.words(`settings-target-${value}`)),
  reading: kept('reading', '👁', LANGUAGES, (ctx, value) => ctx.words(`language-${value}`)),
  dialect: kept('dialect', '🗣', DIALECTS, (ctx, value) => ctx.words(value)),
  voice: kept('voice', '🎙', VOICES, (ctx, value) => ctx.words(`voice-${value}`)),
  wylie: onOrOff('wylie', '🔤', ['off', 'on']),
  original: onOrOff('original', '📜', ['off', 'on']),
  doubts: onOrOff('doubts', '🔎', ['on', 'off']),
  photo: kept('photo', '📷', PHOTO_WISHES, withPrice),
};

/** A setting that the session keeps as it is. */
function kept<K extends 'target' | 'reading' | 'dialect' | 'voice' | 'photo'>(
  key: K,
  icon: string,
  values: readonly PersonSession[K][],
  label: Setting<PersonSession[K]>['label'],
): Setting<PersonSession[K]> {
  const choose = (session: PersonSession, value: PersonSession[K]): void => {
    session[key] = value;
  };
  return { icon, values, present: ({ session }) => session[key], label, choose };
}

function onOrOff(
  key: 'wylie' | 'original' | 'doubts',
  icon: string,
  values: readonly ('on' | 'off')[],
): Setting<'on' | 'off'> {
  return {
    icon,
    values,
    present: ({ session }) => (session[key] ? 'on' : 'off'),
    label: (ctx, value) => ctx.words(`settings-${key}-${value}`),
    choose: (session, value) => {
      session[key] = value === 'on';
    },
  };
}

/** The paid calls for a photo, in the order of `PHOTO_WISHES`. */
const CALLS: readonly CallKind[] = ['recognition', 'translation', 'speech'];

/** The words of a button of `photo`, with the price for a picture of one page. */
function withPrice(ctx: BotContext, wish: (typeof PHOTO_WISHES)[number]): string {
  const calls = CALLS.slice(0, PHOTO_WISHES.indexOf(wish) + 1);
  const fen = ctx.bot.interpreter.account.costOf(calls);
  return ctx.words(`settings-photo-${wish}`, { cost: yuan(fen) });
}

/** The arguments of the sentence `settings`. */
export function settingsInWords(ctx: BotContext): Arguments {
  const present = Object.entries<Setting>(SETTINGS).map(([name, { present, label }]) => [
    name,
    label(ctx, present(ctx)),
  ]);
  return {
    ...Object.fromEntries(present),
    whose: ctx.words(isOfGroup(ctx) ? 'settings-group' : 'settings-yours'),
  };
}

/** Settings asked for in a chat's name belong to the chat (spec §2, Groups). A private chat has the id of its person. */
function isOfGroup(ctx: BotContext): boolean {
  return !ctx.isPrivate && ctx.person === String(ctx.chat.id);
}

/** One row for each setting, or more if it is too wide; the present value is marked. Each button carries the panel's owner. */
export function settingsKeyboard(ctx: BotContext): Keyboard {
  return Object.entries<Setting>(SETTINGS).flatMap(([name, setting]) => {
    const data = (value: string) => `set:${ctx.person}:${name}:${value}`;
    return valueButtons(ctx, setting, data, `${setting.icon} `);
  });
}

/** Sets what a button of the panel says. A setting or value that no longer exists changes nothing. */
export function changeSetting(session: PersonSession, name: string, word: string): void {
  const setting = Object.entries<Setting>(SETTINGS).find(([known]) => known === name)?.[1];
  const value = setting?.values.find((known) => known === word);
  if (value !== undefined) setting?.choose(session, value);
}

/** A button for each value of a setting, in rows; the present one is marked. `data` gives a button's data. */
export function valueButtons<V extends string>(
  ctx: BotContext,
  { values, present, label }: Setting<V>,
  data: (value: V) => string,
  sign = '',
): Keyboard {
  const chosen = present(ctx);
  return inRows(
    values.map((value) => {
      const text = `${value === chosen ? CHOSEN : ''}${sign}${label(ctx, value)}`;
      return { text, callback_data: data(value) };
    }),
  );
}

/** Marks the present value. */
const CHOSEN = '✓ ';

/** The width of a row on a phone, in Latin letters; Telegram cuts longer labels off. */
const ROW_WIDTH = 36;
const graphemes = new Intl.Segmenter();

/** One row, two, or one for each button. The buttons of a row are equally wide, so the longest label decides. */
function inRows(buttons: readonly Button[]): Keyboard {
  const longest = Math.max(...buttons.map(({ text }) => widthOf(text)));
  const half = Math.floor(buttons.length / 2);
  if (longest * buttons.length <= ROW_WIDTH) return [buttons];
  const isWide = longest * (buttons.length - half) > ROW_WIDTH;
  return isWide ? buttons.map((button) => [button]) : [buttons.slice(0, half), buttons.slice(half)];
}

/** In Latin letters; a Chinese character is as wide as two. Every label counts as marked, so that the rows do not change with the choice. */
function widthOf(label: string): number {
  const letters = [...graphemes.segment(label.replace(CHOSEN, ''))];
  return letters.reduce((sum, { segment }) => sum + (/\p{Script=Han}/u.test(segment) ? 2 : 1), CHOSEN.length);
}
