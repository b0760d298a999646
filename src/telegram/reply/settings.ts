/** The settings of a person: their values, names and buttons. */
import { INTERFACE_LANGUAGES, type InterfaceLanguage } from '../../language/interface-language.ts';
import { LANGUAGES } from '../../language/script.ts';
import { DIALECTS, VOICES } from '../../language/variety.ts';
import { type PersonSession, PHOTO_WISHES } from '../../store/kept/sessions.ts';
import type { BotContext } from '../context.ts';
import type { Panel } from './answer.ts';
import type { Keyboard } from './buttons.ts';

export interface Setting<V extends string = string> {
  readonly values: readonly V[];
  present(ctx: BotContext): V;
  label(ctx: BotContext, value: V): string;
  choose(session: PersonSession, value: V): void;
}

/** Each language in its own words, so that people find theirs among languages they cannot read. */
const INTERFACE_LANGUAGE_NAMES: Readonly<Record<InterfaceLanguage, string>> = {
  en: 'English',
  zh: '简体中文',
  'zh-Hant': '繁體中文',
  bo: 'བོད་ཡིག',
};

const language: Setting<InterfaceLanguage> = {
  values: INTERFACE_LANGUAGES,
  present: (ctx) => ctx.language,
  label: (_, value) => INTERFACE_LANGUAGE_NAMES[value],
  choose: (session, value) => {
    session.interfaceLanguage = value;
  },
};

/** In the order of the panel; shown as `settings-NAME` of `locales/`. A new setting takes a field of `PersonSession` and a line here. */
export const SETTINGS = {
  language,
  target: kept('target', ['auto', ...LANGUAGES], (value) => `settings-target-${value}`),
  reading: kept('reading', LANGUAGES, (value) => `language-${value}`),
  dialect: kept('dialect', DIALECTS, (value) => value),
  voice: kept('voice', VOICES, (value) => `voice-${value}`),
  wylie: onOrOff('wylie'),
  original: onOrOff('original'),
  doubts: onOrOff('doubts'),
  photo: kept('photo', PHOTO_WISHES, (value) => `settings-photo-${value}`),
  spoken: onOrOff('spoken'),
};

/** The fields of a session whose values are of this type. */
type FieldsOf<T> = {
  [K in keyof PersonSession]-?: PersonSession[K] extends T ? K : never;
}[keyof PersonSession];

/** A setting stored in the session under the same name. `words` gives the key of the sentence for a value. */
function kept<K extends FieldsOf<string>>(
  key: K,
  values: readonly PersonSession[K][],
  words: (value: PersonSession[K]) => string,
): Setting<PersonSession[K]> {
  return {
    values,
    present: ({ session }) => session[key],
    label: (ctx, value) => ctx.words(words(value)),
    choose: (session, value) => {
      session[key] = value;
    },
  };
}

function onOrOff(key: FieldsOf<boolean>): Setting<'on' | 'off'> {
  return {
    values: ['on', 'off'],
    present: ({ session }) => (session[key] ? 'on' : 'off'),
    label: (ctx, value) => ctx.words(`settings-${key}-${value}`),
    choose: (session, value) => {
      session[key] = value === 'on';
    },
  };
}

/** A button for each setting with its value, or the choices of the one of this name. Each carries the panel's owner. */
export function settingsPanel(ctx: BotContext, name = ''): Panel {
  const setting = settingOf(name);
  if (setting !== undefined) {
    const back = { text: ctx.words('button-back'), callback_data: `set:${ctx.person}` };
    return {
      text: `${heading(ctx)}\n${inWords(ctx, name, setting)}`,
      keyboard: [...valueButtons(ctx, setting, (value) => `set:${ctx.person}:${name}:${value}`), [back]],
    };
  }
  const keyboard = Object.entries<Setting>(SETTINGS).map(([name, setting]) => [
    { text: inWords(ctx, name, setting), callback_data: `set:${ctx.person}:${name}` },
  ]);
  return { text: heading(ctx), keyboard };
}

/** Applies a button's choice. Ignores a setting or value that no longer exists. */
export function changeSetting(session: PersonSession, name: string, word: string): void {
  const setting = settingOf(name);
  const value = setting?.values.find((known) => known === word);
  if (value !== undefined) setting?.choose(session, value);
}

function settingOf(name: string): Setting | undefined {
  return Object.entries<Setting>(SETTINGS).find(([known]) => known === name)?.[1];
}

function inWords(ctx: BotContext, name: string, { label, present }: Setting): string {
  return ctx.words(`settings-${name}`, { value: label(ctx, present(ctx)) });
}

/** Settings opened in a chat's name belong to the chat. A private chat has the id of its person. */
function heading(ctx: BotContext): string {
  const isOfGroup = !ctx.isPrivate && ctx.person === String(ctx.chat.id);
  return ctx.words(isOfGroup ? 'settings-group' : 'settings-yours');
}

/** A button for each value, in one row if the labels are short; the present value is marked. `data` gives a button's data. */
export function valueButtons<V extends string>(
  ctx: BotContext,
  { values, present, label }: Setting<V>,
  data: (value: V) => string,
): Keyboard {
  const chosen = present(ctx);
  const longest = Math.max(...values.map((value) => label(ctx, value).length));
  const buttons = values.map((value) => {
    const text = `${value === chosen ? '✓ ' : ''}${label(ctx, value)}`;
    return { text, callback_data: data(value) };
  });
  return longest * values.length <= ROW_LENGTH ? [buttons] : buttons.map((button) => [button]);
}

/** The length of the labels in a row on a phone, beside the mark, in UTF-16 units; Telegram cuts longer ones off. */
const ROW_LENGTH = 28;
