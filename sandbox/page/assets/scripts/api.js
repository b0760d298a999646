/** The page's actions at its server, by their names there; a refusal is thrown with the words that the server gave. */

async function post(name, body, headers) {
  const response = await fetch(`api/${name}`, { method: 'POST', headers, body }).catch(() => {
    throw new Error('The sandbox does not answer. Is it still running? Nothing was sent.');
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer?.message ?? `The sandbox answered ${response.status}`);
  return answer;
}

const JSON_HEADERS = { 'content-type': 'application/json' };

/** Carries out an action with what it needs; nearly all need `personId`, many `chatId` or `messageId`. */
export const act = (name, given) => post(name, JSON.stringify(given), JSON_HEADERS);

/** Sends files; the form has a field `about`. */
export const sendFiles = (form) => post('sendFiles', form);
