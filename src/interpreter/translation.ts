/** Translates a text of any length, in as few paid calls as it takes, concurrently, and keeps its layout. */
import { hasScript, type Language, otherLanguage } from '../language/script.ts';
import { splitForService } from '../language/split.ts';
import type { CallKind } from '../paid-calls.ts';
import { checkCalls, meterOf } from './account.ts';
import type { Deps } from './deps.ts';
import type { Asked } from './request.ts';
import { translationKey } from './request.ts';

interface Piece {
  readonly before: string;
  readonly core: string;
  readonly after: string;
}

/** Translates a text. A piece that fails ends the others before they are paid for. */
export async function translate(deps: Deps, text: string, to: Language, asked: Asked): Promise<string> {
  const { whole, pieces, toBuy } = inPieces(deps, text, to);
  const failed = new AbortController();
  const signal = AbortSignal.any([asked.signal, failed.signal]);
  // A single piece is looked up when it is bought.
  const unpaid = new Set(toBuy.length > 1 ? await unpaidOf(deps, toBuy, to) : []);
  // Checked before the first call: half a translation would be paid for in vain.
  const { asker, callsAfter = [] } = asked;
  const calls = Array<CallKind>(unpaid.size).fill('translation');
  if (unpaid.size > 1) await checkCalls(deps, asker, calls, callsAfter);
  let done = 0;
  const tell = (): void => asked.onProgress?.(done, unpaid.size);
  tell();
  const parts: (string | undefined)[] = pieces.map(() => undefined);
  /** Pieces come in any order, but a reported beginning has no gaps. Kept pieces come at once, and need no report. */
  const grow = (index: number, part: string): void => {
    if (unpaid.size < 2) return;
    parts[index] = part;
    const gap = parts.indexOf(undefined);
    if (gap > index) asked.onGrowth?.(`${whole.before}${parts.slice(0, gap).join('')}`);
  };
  const translatePiece = async (piece: Piece, index: number): Promise<string> => {
    const isBought = toBuy.includes(piece);
    const onBuying = (): void => {
      if (unpaid.has(piece)) return;
      unpaid.add(piece);
      tell();
    };
    const core = isBought
      ? await translateCore(deps, piece.core, to, { ...asked, signal, onBuying })
      : piece.core;
    if (unpaid.has(piece)) {
      done += 1;
      tell();
    }
    const part = `${piece.before}${core}${piece.after}`;
    grow(index, part);
    return part;
  };
  try {
    const translated = (await Promise.all(pieces.map(translatePiece))).join('');
    return `${whole.before}${translated}${whole.after}`;
  } catch (error) {
    failed.abort();
    throw error;
  }
}

/** Whether the whole translation is kept and costs nothing; false also if that cannot be read. */
export async function isTranslated(deps: Deps, text: string, to: Language): Promise<boolean> {
  const unpaid = await unpaidOf(deps, inPieces(deps, text, to).toBuy, to);
  return unpaid.length === 0;
}

/** The pieces whose translation is not kept, or cannot be read. */
async function unpaidOf({ results }: Deps, pieces: readonly Piece[], to: Language): Promise<Piece[]> {
  const keptOf = ({ core }: Piece) => results.text(translationKey(core, to)).catch(() => undefined);
  const kept = await Promise.all(pieces.map(keptOf));
  return pieces.filter((_, index) => kept[index] === undefined);
}

function translateCore(
  deps: Deps,
  text: string,
  to: Language,
  asked: Asked & { readonly onBuying: () => void },
): Promise<string> {
  const { provider, results, payOnce } = deps;
  const { asker, onBuying, callsAfter = [] } = asked;
  const key = translationKey(text, to);
  return payOnce(
    {
      kind: 'translation',
      key,
      isChecked: callsAfter.length > 0,
      recall: () => results.text(key),
      buy: async (signal) => {
        onBuying();
        const meter = meterOf(deps, asker);
        const translation = await provider.translate(
          { text, from: otherLanguage(to), to },
          { signal, meter },
        );
        return translation.text.trim();
      },
      keep: (translation) => results.keepText(key, asker.person, translation),
    },
    asked,
  );
}

/** Splits a text for the service. Pieces without the source language (a page of figures) stay as they are, unpaid. */
function inPieces({ provider }: Deps, text: string, to: Language) {
  const whole = framed(text);
  const pieces = splitForService(whole.core, provider.longestText).map(framed);
  return { whole, pieces, toBuy: pieces.filter(({ core }) => hasScript(core, otherLanguage(to))) };
}

/** Separates a text from the white space around it, which is layout: the service need not see it and must not lose it. */
function framed(text: string): Piece {
  const core = text.trim();
  const begin = text.indexOf(core);
  return { before: text.slice(0, begin), core, after: text.slice(begin + core.length) };
}
