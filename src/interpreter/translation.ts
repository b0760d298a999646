/** Translates a text of any length in as few paid calls as possible, concurrently, and keeps its layout. */
import { mustBeKnown } from '../language/private-tibetan.ts';
import { hasScript, type Language, otherLanguage } from '../language/script.ts';
import { splitForService } from '../language/split.ts';
import type { CallKind } from '../paid-calls.ts';
import { createYield } from '../patience.ts';
import type { Interpreter } from './interpreter.ts';
import { type Payer, type RequestOptions, translationKey } from './request.ts';

interface FramedText {
  readonly before: string;
  readonly core: string;
  readonly after: string;
}

/** Pieces bought at once: half of a process's calls by default, so that a long file leaves room for others. */
const PIECES_AT_ONCE = 8;

/** Throws the failure of any piece once those bought beside it are kept. */
export async function translate(
  interpreter: Interpreter,
  text: string,
  to: Language,
  options: RequestOptions,
): Promise<string> {
  const { account, provider } = interpreter;
  const { asker, callsAfter = [], onProgress, onGrowth } = options;
  const { whole, pieces, toBuy } = await inPieces(interpreter, text, to);
  const unpaid = new Set<string>();
  // A single piece is looked up by the purchase.
  if (toBuy.size + callsAfter.length > 1) {
    for (const piece of await unpaidTexts(interpreter, toBuy, to)) unpaid.add(piece);
    // Check before the first call: half a translation would be paid for in vain.
    await account.check(asker, Array<CallKind>(unpaid.size).fill('translation'), callsAfter);
  }
  const done = new Map<string, string>();
  let finished = whole.before;
  let next = 0;
  /** As far as it is translated without a gap: pieces come in any order. */
  const beginning = (): string => {
    for (; next < pieces.length; next += 1) {
      const { before, core, after } = pieces[next] ?? framed('');
      const translated = toBuy.has(core) ? done.get(core) : core;
      if (translated === undefined) return finished;
      finished += `${before}${translated}${after}`;
    }
    return `${finished}${whole.after}`;
  };
  const translatePiece = async (core: string): Promise<void> => {
    const buy = async (signal: AbortSignal, payer: () => Payer): Promise<string> => {
      unpaid.add(core);
      onProgress?.(bought, unpaid.size);
      const request = { text: core, from: otherLanguage(to), to };
      const translation = await provider.translate(request, { signal, meter: account.meter(payer) });
      return translation.text.trim();
    };
    const key = translationKey(core, to);
    done.set(core, await account.payOnce({ kind: 'translation', key, buy }, options));
    if (unpaid.has(core)) {
      bought += 1;
      onProgress?.(bought, unpaid.size);
    }
    // A text that is kept whole is there at once.
    if (unpaid.size > 0 && done.size < toBuy.size) onGrowth?.(beginning());
  };
  let bought = 0;
  await account.buyEach('translation', [...toBuy], PIECES_AT_ONCE, translatePiece);
  return beginning();
}

/** Of somebody who cannot be asked about the cost. */
const MAX_UNASKED_PIECES = 4;

/** Translates no more of a text than is shown of the translation, in UTF-16 units: piece after piece until it is as long. */
export async function translateBeginning(
  interpreter: Interpreter,
  text: string,
  to: Language,
  shown: number,
  options: RequestOptions,
): Promise<{ readonly translation: string; readonly isWhole: boolean }> {
  let translation = '';
  const pieces = await splitForService(text.trim(), interpreter.provider.maxTextLength);
  for (const [index, piece] of pieces.entries()) {
    if (translation.length >= shown || index === MAX_UNASKED_PIECES) return { translation, isWhole: false };
    translation += await translate(interpreter, piece, to, options);
  }
  return { translation, isWhole: true };
}

/** Returns the calls that translating the text takes: none if the whole translation is kept. */
export async function unpaidTranslation(
  interpreter: Interpreter,
  text: string,
  to: Language,
): Promise<CallKind[]> {
  const { toBuy } = await inPieces(interpreter, text, to);
  const unpaid = await unpaidTexts(interpreter, toBuy, to);
  return unpaid.map(() => 'translation');
}

async function unpaidTexts(
  { results }: Interpreter,
  texts: ReadonlySet<string>,
  to: Language,
): Promise<string[]> {
  const yieldToOthers = createYield();
  const keys = new Map<string, string>();
  for (const text of texts) {
    keys.set(text, translationKey(text, to));
    await yieldToOthers();
  }
  const kept = await results.kept([...keys.values()]);
  return [...keys].flatMap(([text, key]) => (kept.has(key) ? [] : [text]));
}

/** `toBuy` holds each text once; pieces without the source language (a page of figures) stay as they are, unpaid. */
async function inPieces({ provider }: Interpreter, text: string, to: Language) {
  const yieldToOthers = createYield();
  mustBeKnown(text);
  const whole = framed(text);
  const pieces = (await splitForService(whole.core, provider.maxTextLength)).map(framed);
  const toBuy = new Set<string>();
  for (const { core } of pieces) {
    if (hasScript(core, otherLanguage(to))) toBuy.add(core);
    await yieldToOthers();
  }
  return { whole, pieces, toBuy };
}

/** White space around a text is layout: the service does not need it. */
function framed(text: string): FramedText {
  const core = text.trim();
  const begin = text.length - text.trimStart().length;
  return { before: text.slice(0, begin), core, after: text.slice(begin + core.length) };
}
