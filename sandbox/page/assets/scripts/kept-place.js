/** Who acts and what is open, kept for this tab alone, so that a reload changes nothing. */

const KEY = 'place';

export function keepPlace({ personId, chatId, topicId }) {
  sessionStorage.setItem(KEY, JSON.stringify({ personId, chatId, topicId }));
}

/** What was kept last; empty in a new tab. */
export function keptPlace() {
  return JSON.parse(sessionStorage.getItem(KEY) ?? '{}');
}
