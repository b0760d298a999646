/** A finding: one line for the operator, with a remedy if something is wrong. */
import { statSync } from 'node:fs';
import { codeOf, isCertificateError, isFailure } from '../errors.ts';

export interface Finding {
  /** `wrong` keeps the bot from working as configured; `open` is a choice, or cannot be seen from here. */
  readonly verdict: 'well' | 'wrong' | 'open';
  /** Holds no secret, and of an address only its configured host. */
  readonly text: string;
  readonly remedy?: string | undefined;
}

const MARKS = { well: '✓', wrong: '✗', open: '–' } as const;

export function well(text: string): Finding {
  return { verdict: 'well', text };
}

export function wrong(text: string, remedy: string): Finding {
  return { verdict: 'wrong', text, remedy };
}

export function open(text: string, remedy?: string): Finding {
  return { verdict: 'open', text, remedy };
}

/** Gives `✗ what is wrong → what to do`. */
export function describeFinding({ verdict, text, remedy }: Finding): string {
  return `${MARKS[verdict]} ${text}${remedy === undefined ? '' : ` → ${remedy}`}`;
}

/** Returns a failure's message, else the code or name of the deepest cause; another message may hold an address with a secret. */
export function reasonOf(error: unknown): string {
  if (isFailure(error))
    return error.code === undefined ? error.message : `${error.message}, code ${error.code}`;
  if (!(error instanceof Error)) return typeof error;
  if (error.cause instanceof Error) return reasonOf(error.cause);
  if (error.name === 'TimeoutError') return 'timed out';
  return codeOf(error) ?? error.name;
}

/** Returns `otherwise` unless the server's certificate is the reason. */
export function remedyFor(error: unknown, otherwise: string): string {
  if (!isCertificateError(reasonOf(error))) return otherwise;
  return "its TLS certificate is not trusted: set NODE_EXTRA_CA_CERTS to the CA's file if it has its own CA, and check the host name and this machine's clock";
}

/** Whether other users of this machine may read or write the file. */
export function isOpenToOthers(path: string): boolean {
  return (statSync(path).mode & 0o077) !== 0;
}
