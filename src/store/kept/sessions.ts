/** What the bot remembers of one person between updates: settings and the last text. Money never lives here. */
import type { AsyncSessionStore, SessionStore } from 'telegraf/session';
import { z } from 'zod';
import { INTERFACE_LANGUAGES } from '../../language/interface-language.ts';
import { LANGUAGES } from '../../language/script.ts';
import { DIALECTS, VOICES } from '../../language/variety.ts';
import { orDatabaseFailure } from '../trouble.ts';

/** Each has done what stands before it, too. */
export const PHOTO_WISHES = ['read', 'translate', 'speak'] as const;

/** Values that are missing or no longer known read as their default, so that an old row never breaks a new version. */
const personSession = z.object({
  /** Chosen with /lang; unset: Telegram's `language_code` decides. */
  interfaceLanguage: z.enum(INTERFACE_LANGUAGES).optional().catch(undefined),
  /** What Telegram's `language_code` told last, of the operators: alerts come without an update of theirs that would tell it. */
  telegramLanguage: z.enum(INTERFACE_LANGUAGES).optional().catch(undefined),
  /** The language that texts are translated into; `auto`: the other one than the text's. */
  target: z.enum(['auto', ...LANGUAGES]).catch('auto'),
  /** The language in which photos are read. */
  reading: z.enum(LANGUAGES).catch('tibetan'),
  dialect: z.enum(DIALECTS).catch('utsang'),
  voice: z.enum(VOICES).catch('xiaoxiao'),
  /** Whether recognised Tibetan is shown in Wylie, too. */
  wylie: z.boolean().catch(false),
  /** Whether a translation is shown with its original above it. */
  original: z.boolean().catch(false),
  /** Whether what they say to nobody is left alone in groups where the bot listens. */
  unheard: z.boolean().catch(false),
  /** Whether syllables that can be none are named under a recognised text. */
  doubts: z.boolean().catch(true),
  /** What a photo or an album gets that nothing else is asked about. */
  photo: z.enum(PHOTO_WISHES).catch('read'),
  /** The last result, or what was sent last: what /speak without a text speaks. */
  lastText: z.string().optional().catch(undefined),
  /** What `lastText` was translated from, if it is a translation. */
  lastOriginal: z.object({ text: z.string(), translation: z.string() }).optional().catch(undefined),
});

export type PersonSession = z.infer<typeof personSession>;
export type PersonSessions = AsyncSessionStore<PersonSession>;

/** The session of somebody who has chosen nothing yet. */
export function newPersonSession(): PersonSession {
  return personSession.parse({});
}

/** The sessions in a store of @telegraf/session, checked when they are read. Throws `database` when the database does not answer. */
export function createPersonSessions(rows: SessionStore<unknown>): PersonSessions {
  return {
    get: async (key) => {
      const row = await orDatabaseFailure(async () => rows.get(key));
      const parsed = personSession.safeParse(row);
      return parsed.success ? parsed.data : undefined;
    },
    set: (key, session) => orDatabaseFailure(async () => rows.set(key, session)),
    delete: (key) => orDatabaseFailure(async () => rows.delete(key)),
  };
}
