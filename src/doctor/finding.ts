/** What a check found: one line for the operator, with what to do where something is wrong. */
import { codeOf } from '../errors.ts';

export interface Finding {
  /** `wrong` keeps the bot from working as it is configured; `open` is a choice, or cannot be seen from here. */
  readonly verdict: 'well' | 'wrong' | 'open';
  /** Holds no secret, and no address but the configured host of one. */
  readonly text: string;
  /** What to do about it. */
  readonly remedy?: string;
}

const MARKS = { well: '✓', wrong: '✗', open: '–' } as const;

/** Nothing to do. */
export function well(text: string): Finding {
  return { verdict: 'well', text };
}

/** To be mended, and how. */
export function wrong(text: string, remedy: string): Finding {
  return { verdict: 'wrong', text, remedy };
}

/** A choice, or what cannot be seen from here; with what could be done where something could. */
export function open(text: string, remedy?: string): Finding {
  return remedy === undefined ? { verdict: 'open', text } : { verdict: 'open', text, remedy };
}

/** `✗ what is wrong → what to do` */
export function describeFinding({ verdict, text, remedy }: Finding): string {
  return `${MARKS[verdict]} ${text}${remedy === undefined ? '' : ` → ${remedy}`}`;
}

/** An error's code or name, of what lies below where there is more; a message may hold an address with a secret. */
export function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  if (error.cause instanceof Error) return errorCode(error.cause);
  if (error.name === 'TimeoutError') return 'timed out';
  return codeOf(error) ?? error.name;
}
