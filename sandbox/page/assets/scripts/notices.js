/** Toasts and alerts: what the bot answers to a pressed button, and what the sandbox has to say. */
import { byId, element } from './dom.js';
import { textNodes } from './script-runs.js';

/** How long a toast stays, ms; reading a line of Tibetan takes a moment. */
const TOAST_LIFE = 4500;

/** A line that goes by itself; `tone` is `error` for what could not be done. */
export function toast(text, tone = 'plain') {
  const shown = element('p', { class: 'toast', 'data-tone': tone, 'data-testid': 'toast' }, textNodes(text));
  byId('toasts').append(shown);
  setTimeout(() => shown.remove(), TOAST_LIFE);
}

/** A box that stays until it is closed, as Telegram's `show_alert`. */
export function alertBox(text) {
  const dialog = byId('alert');
  byId('alert-text').replaceChildren(...textNodes(text));
  if (!dialog.open) dialog.showModal();
}

/** Runs an action of the page; a refusal becomes a toast instead of an error in the console. */
export async function attempt(action) {
  try {
    return await action();
  } catch (error) {
    toast(error.message, 'error');
    return undefined;
  }
}
