/** The session of a person: settings and the last text. Money never lives here. */
import type { SessionStore } from 'telegraf/session';
import { z } from 'zod';
import { INTERFACE_LANGUAGES } from '../../language/interface-language.ts';
import { LANGUAGES } from '../../language/script.ts';
import { DIALECTS, VOICES } from '../../language/variety.ts';

/** Each includes the ones before it. */
export const PHOTO_WISHES = ['read', 'translate', 'speak'] as const;

/** Longest text that is kept, in UTF-16 units: every message reads the session. A longer text is not kept at all. */
const MAX_TEXT = 20_000;
const lastText = z.string().max(MAX_TEXT);

/** Missing or unknown values are read as their default, so that an old row never breaks a new version. */
const personSession = z.object({
  /** Chosen with /lang; undefined: Telegram's `language_code` decides. */
  interfaceLanguage: z.enum(INTERFACE_LANGUAGES).optional().catch(undefined),
  /** An admin's last `language_code`: alerts have no update that tells it. */
  telegramLanguage: z.enum(INTERFACE_LANGUAGES).optional().catch(undefined),
  /** The language that texts are translated into; `auto`: the opposite of the text's own. */
  target: z.enum(['auto', ...LANGUAGES]).catch('auto'),
  /** The language in which photos are read. */
  reading: z.enum(LANGUAGES).catch('tibetan'),
  /** Pictures in a row that the person had read in the other language (`handlers/ocr.ts`). */
  corrections: z.number().catch(0),
  /** Pages whose translation the person heard with one press (`handlers/speak.ts`). */
  chains: z.number().catch(0),
  dialect: z.enum(DIALECTS).catch('utsang'),
  voice: z.enum(VOICES).catch('xiaoxiao'),
  /** Recognised Tibetan is also shown in Wylie. */
  wylie: z.boolean().catch(false),
  /** A translation is shown below its original. */
  original: z.boolean().catch(false),
  /** In groups where the bot listens, it ignores this person's messages (/listen skip). */
  unheard: z.boolean().catch(false),
  /** Impossible syllables are listed below a recognised text. */
  doubts: z.boolean().catch(true),
  /** What happens to a photo or an album sent without a command. */
  photo: z.enum(PHOTO_WISHES).catch('read'),
  /** Every answer is also spoken, in the dialect: for people who do not read. */
  spoken: z.boolean().catch(false),
  /** The last result or the last text sent: /speak without a text speaks it. */
  lastText: lastText.optional().catch(undefined),
  /** The original of `lastText`, if that is a translation. */
  lastOriginal: z.object({ text: lastText, translation: lastText }).optional().catch(undefined),
});

export type PersonSession = z.infer<typeof personSession>;

/** Sessions in a store of @telegraf/session, parsed when read and when written. Throws `database` when the database is unreachable. */
export class PersonSessions {
  readonly #rows: SessionStore<unknown>;

  constructor(rows: SessionStore<unknown>) {
    this.#rows = rows;
  }

  /** Returns a new session if none is stored. */
  async get(key: string): Promise<PersonSession> {
    return personSession.parse((await this.#rows.get(key)) ?? {});
  }

  async set(key: string, session: PersonSession): Promise<void> {
    await this.#rows.set(key, personSession.parse(session));
  }

  async delete(key: string): Promise<void> {
    await this.#rows.delete(key);
  }
}
