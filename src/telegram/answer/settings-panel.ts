/** The panel of /settings: what can be set, the present values in words, and a row of buttons for each. */
import { INTERFACE_LANGUAGES } from '../../language/interface-language.ts';
import { LANGUAGES } from '../../language/script.ts';
import { DIALECTS, VOICES } from '../../language/variety.ts';
import { type CallKind, yuan } from '../../paid-calls.ts';
import { type PersonSession, PHOTO_WISHES } from '../../store/kept/sessions.ts';
import type { BotContext } from '../context.ts';
import type { Arguments } from '../locale.ts';
import { type Button, choice, INTERFACE_LANGUAGE_NAMES, inRows, type Keyboard } from './buttons.ts';

interface Setting {
  /** The present value, in words. */
  present(ctx: BotContext): string;
  /** A button for each value; `data` says what a button of this value asks for. */
  buttons(ctx: BotContext, data: (value: string) => string): Button[];
  /** Takes a value over; an unknown one changes nothing. */
  choose(session: PersonSession, value: string): void;
}

/** The paid calls of what a photo may get, in its order. */
const CALLS: readonly CallKind[] = ['recognition', 'translation', 'speech'];

/** By the name that the panel's sentence has for it; in the order of the rows. */
const SETTINGS: Readonly<Record<string, Setting>> = {
  language: setting({
    icon: '🌐',
    values: INTERFACE_LANGUAGES,
    present: (ctx) => ctx.language,
    label: (_, value) => INTERFACE_LANGUAGE_NAMES[value],
    choose: (session, value) => {
      session.interfaceLanguage = value;
    },
  }),
  target: setting({
    icon: '🔁',
    values: ['auto', ...LANGUAGES],
    present: ({ session }) => session.target,
    label: (ctx, value) => ctx.words(`settings-target-${value}`),
    choose: (session, value) => {
      session.target = value;
    },
  }),
  reading: setting({
    icon: '👁',
    values: LANGUAGES,
    present: ({ session }) => session.reading,
    label: (ctx, value) => ctx.words(`language-${value}`),
    choose: (session, value) => {
      session.reading = value;
    },
  }),
  dialect: setting({
    icon: '🗣',
    values: DIALECTS,
    present: ({ session }) => session.dialect,
    label: (ctx, value) => ctx.words(value),
    choose: (session, value) => {
      session.dialect = value;
    },
  }),
  voice: setting({
    icon: '🎙',
    values: VOICES,
    present: ({ session }) => session.voice,
    label: (ctx, value) => ctx.words(`voice-${value}`),
    choose: (session, value) => {
      session.voice = value;
    },
  }),
  wylie: setting({
    icon: '🔤',
    values: ['off', 'on'],
    present: ({ session }) => (session.wylie ? 'on' : 'off'),
    label: (ctx, value) => ctx.words(`settings-wylie-${value}`),
    choose: (session, value) => {
      session.wylie = value === 'on';
    },
  }),
  original: setting({
    icon: '📜',
    values: ['off', 'on'],
    present: ({ session }) => (session.original ? 'on' : 'off'),
    label: (ctx, value) => ctx.words(`settings-original-${value}`),
    choose: (session, value) => {
      session.original = value === 'on';
    },
  }),
  doubts: setting({
    icon: '🔎',
    values: ['on', 'off'],
    present: ({ session }) => (session.doubts ? 'on' : 'off'),
    label: (ctx, value) => ctx.words(`settings-doubts-${value}`),
    choose: (session, value) => {
      session.doubts = value === 'on';
    },
  }),
  photo: setting({
    icon: '📷',
    values: PHOTO_WISHES,
    present: ({ session }) => session.photo,
    label: withPrice,
    choose: (session, value) => {
      session.photo = value;
    },
  }),
};

/** What a choice costs for one picture of one page, in the words of its button. */
function withPrice(ctx: BotContext, wish: (typeof PHOTO_WISHES)[number]): string {
  const calls = CALLS.slice(0, PHOTO_WISHES.indexOf(wish) + 1);
  const fen = calls.reduce((sum, kind) => sum + ctx.bot.interpreter.price(kind), 0);
  return ctx.words(`settings-photo-${wish}`, { cost: yuan(fen) });
}

/** What the sentence `settings` is filled with. */
export function settingsInWords(ctx: BotContext): Arguments {
  const present = Object.entries(SETTINGS).map(([name, setting]) => [name, setting.present(ctx)]);
  return {
    ...Object.fromEntries(present),
    whose: ctx.words(isOfGroup(ctx) ? 'settings-group' : 'settings-yours'),
  };
}

/** What is asked in a chat's own name is set for the chat (spec §2, Groups); a private chat has the id of its person. */
function isOfGroup(ctx: BotContext): boolean {
  return !ctx.isPrivate && ctx.person === String(ctx.chat.id);
}

/** A row for each setting, or two where one is too wide, the present value marked. Each button carries whose panel it is. */
export function settingsKeyboard(ctx: BotContext): Keyboard {
  return Object.entries(SETTINGS).flatMap(([name, { buttons }]) =>
    inRows(buttons(ctx, (value) => `set:${ctx.person}:${name}:${value}`)),
  );
}

/** Takes over what a button of the panel asks for; a setting or value that there is no more changes nothing. */
export function changeSetting(session: PersonSession, name: string, value: string): void {
  if (Object.hasOwn(SETTINGS, name)) SETTINGS[name]?.choose(session, value);
}

interface Choices<V extends string> {
  readonly icon: string;
  readonly values: readonly V[];
  present(ctx: BotContext): V;
  label(ctx: BotContext, value: V): string;
  choose(session: PersonSession, value: V): void;
}

function setting<V extends string>({ icon, values, present, label, choose }: Choices<V>): Setting {
  return {
    present: (ctx) => label(ctx, present(ctx)),
    buttons: (ctx, data) =>
      values.map((value) => choice(`${icon} ${label(ctx, value)}`, data(value), value === present(ctx))),
    choose: (session, word) => {
      const value = values.find((known) => known === word);
      if (value !== undefined) choose(session, value);
    },
  };
}
