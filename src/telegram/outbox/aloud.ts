/**
 * Speaks the bot's own sentences: for people who do not read, always in Tibetan, whatever language it writes to them in. A sentence is
 * spoken once for everybody, kept, and sent by its file id.
 */
import { speakInTurn } from '../../interpreter/speech.ts';
import type { Dialect } from '../../language/variety.ts';
import type { Keyboard } from '../answer/buttons.ts';
import type { ReceivedContext } from '../context.ts';
import { answerWithVoice } from './media.ts';

/** The time limit of a spoken sentence, in ms: the person's next request waits for it. */
const PATIENCE_MS = 20_000;

interface Spoken {
  readonly caption?: string;
  readonly keyboard?: Keyboard | undefined;
  readonly replyTo?: number | false | undefined;
}

/** Speaks a sentence of `locales/` in these dialects, one after another. The text goes out in writing, too, so a failure is only logged. */
export async function sayAloud(
  ctx: ReceivedContext,
  id: string,
  dialects: readonly Dialect[],
  { caption = '', keyboard = [], replyTo = false }: Spoken = {},
): Promise<void> {
  const { bot } = ctx;
  // Everybody hears the same note, so it counts for nobody's share.
  const asker = { person: String(bot.me.id), group: undefined };
  try {
    const text = bot.words('bo', id);
    const signal = AbortSignal.any([ctx.signal, AbortSignal.timeout(PATIENCE_MS)]);
    const speakers = dialects.map((variety) => ({ variety }));
    const note = await speakInTurn(bot.interpreter, text, speakers, { asker, signal });
    await answerWithVoice(ctx, note, { caption, text, keyboard, replyTo });
  } catch (error) {
    bot.log.info({ error, id }, 'speaking a sentence failed');
  }
}

/** Speaks a sentence to a person who has answers spoken, in their private chat; its buttons stand under what they hear, too. */
export async function sayToListener(ctx: ReceivedContext, id: string, how: Spoken = {}): Promise<void> {
  if (ctx.isPrivate && ctx.session?.spoken) await sayAloud(ctx, id, [ctx.session.dialect], how);
}
