/** Translates a text of any length in as few paid calls as possible, concurrently, and keeps its layout. */
import { hasScript, type Language, otherLanguage } from '../language/script.ts';
import { splitForService } from '../language/split.ts';
import type { CallKind } from '../paid-calls.ts';
import type { Interpreter } from './interpreter.ts';
import { type RequestOptions, translationKey } from './request.ts';

interface FramedText {
  readonly before: string;
  readonly core: string;
  readonly after: string;
}

/** Pieces bought at once: half of a process's calls by default, so that a long file leaves room for others. */
const PIECES_AT_ONCE = 8;

/** Calls `onGrowth` with the growing finished beginning. Throws the failure of any piece once those bought beside it are kept. */
export async function translate(
  interpreter: Interpreter,
  text: string,
  to: Language,
  options: RequestOptions,
): Promise<string> {
  const { account, provider, results } = interpreter;
  const { asker, callsAfter = [], onProgress, onGrowth } = options;
  const { whole, pieces, toBuy } = inPieces(interpreter, text, to);
  // A single piece is looked up by the purchase.
  const isSingle = toBuy.size + callsAfter.length <= 1;
  const unpaid = new Set(isSingle ? [] : await unpaidTexts(interpreter, toBuy, to));
  // Check before the first call: half a translation would be paid for in vain.
  await account.check(asker, Array<CallKind>(unpaid.size).fill('translation'), callsAfter);
  const done = new Set<string>();
  const tell = (): void => onProgress?.(done.size, unpaid.size);
  tell();

  const parts = Array<string | undefined>(pieces.length).fill(undefined);
  const translatePiece = async ([index, piece]: [number, FramedText]): Promise<void> => {
    const { before, core, after } = piece;
    const key = translationKey(core, to);
    const purchase = {
      kind: 'translation',
      key,
      recall: () => results.text(key),
      buy: async (signal: AbortSignal) => {
        unpaid.add(core);
        tell();
        const request = { text: core, from: otherLanguage(to), to };
        const translation = await provider.translate(request, { signal, meter: account.meter(asker) });
        return translation.text.trim();
      },
      keep: (translation: string) => results.keepText(key, asker.person, translation),
    } as const;
    const translated = toBuy.has(core) ? await account.payOnce(purchase, options) : core;
    parts[index] = `${before}${translated}${after}`;
    if (unpaid.has(core)) {
      done.add(core);
      tell();
    }
    // Pieces come in any order, but a reported beginning has no gaps. A text that is kept whole is there at once.
    const gap = parts.indexOf(undefined);
    if (gap > index && unpaid.size > 0) onGrowth?.(`${whole.before}${parts.slice(0, gap).join('')}`);
  };
  const atOnce = Math.min(PIECES_AT_ONCE, pieces.length);
  await account.buyEach('translation', [...pieces.entries()], atOnce, translatePiece);
  return `${whole.before}${parts.join('')}${whole.after}`;
}

/** Returns the calls that translating the text takes: none if the whole translation is kept. */
export async function unpaidTranslation(
  interpreter: Interpreter,
  text: string,
  to: Language,
): Promise<CallKind[]> {
  const unpaid = await unpaidTexts(interpreter, inPieces(interpreter, text, to).toBuy, to);
  return unpaid.map(() => 'translation');
}

async function unpaidTexts(
  { results }: Interpreter,
  texts: ReadonlySet<string>,
  to: Language,
): Promise<string[]> {
  const all = [...texts];
  const kept = await Promise.all(all.map((text) => results.text(translationKey(text, to))));
  return all.filter((_, index) => kept[index] === undefined);
}

/** `toBuy` holds each text once; pieces without the source language (a page of figures) stay as they are, unpaid. */
function inPieces({ provider }: Interpreter, text: string, to: Language) {
  const whole = framed(text);
  const pieces = splitForService(whole.core, provider.maxTextLength).map(framed);
  const toBuy = new Set<string>();
  for (const { core } of pieces) if (hasScript(core, otherLanguage(to))) toBuy.add(core);
  return { whole, pieces, toBuy };
}

/** White space around a text is layout: the service does not need it. */
function framed(text: string): FramedText {
  const core = text.trim();
  const begin = text.indexOf(core);
  return { before: text.slice(0, begin), core, after: text.slice(begin + core.length) };
}
