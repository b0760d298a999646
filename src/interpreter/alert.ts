/** What whoever runs the bot has to hear of, since only they can mend it. */
import type { CallKind } from '../paid-calls.ts';

/** The service's quota is used up, it refuses our credentials, or the database cannot be read or written. */
export type Alert =
  | { readonly reason: 'quota'; readonly kind: CallKind }
  | { readonly reason: 'auth'; readonly credentials: 'token' | 'x-secret' }
  | { readonly reason: 'database' };

/** Told of every alert; that nobody hears the same one all the time is its own concern (telegram/answer/alerts.ts). */
export type OnAlert = (alert: Alert) => void;
