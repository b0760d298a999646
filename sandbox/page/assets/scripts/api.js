/** The page's actions at its server; a refusal is thrown with the words that the server gave. */

async function send(method, path, body) {
  const isForm = body instanceof FormData;
  const response = await fetch(path, {
    method,
    headers: body === undefined || isForm ? {} : { 'content-type': 'application/json' },
    body: body === undefined || isForm ? body : JSON.stringify(body),
  }).catch(() => {
    throw new Error('The sandbox does not answer. Is it still running? Nothing was sent.');
  });
  const answer = response.status === 204 ? true : await response.json();
  if (!response.ok) throw new Error(answer?.message ?? `The sandbox answered ${response.status}`);
  return answer;
}

const messagePath = (chatId, messageId) => `api/chats/${chatId}/messages/${messageId}`;

export const api = {
  sendText: (body) => send('POST', 'api/messages', body),
  sendOther: (body) => send('POST', 'api/others', body),
  sendSample: (body) => send('POST', 'api/samples', body),
  sendFiles: (form) => send('POST', 'api/uploads', form),
  edit: (chatId, messageId, body) => send('PATCH', messagePath(chatId, messageId), body),
  remove: (chatId, messageId, body) => send('DELETE', messagePath(chatId, messageId), body),
  forward: (chatId, messageId, body) => send('POST', `${messagePath(chatId, messageId)}/forwards`, body),
  react: (chatId, messageId, body) => send('PUT', `${messagePath(chatId, messageId)}/reaction`, body),
  newGroup: (body) => send('POST', 'api/groups', body),
  setMember: (chatId, userId, body) => send('PUT', `api/groups/${chatId}/members/${userId}`, body),
  setAnonymity: (chatId, body) => send('PUT', `api/groups/${chatId}/anonymity`, body),
  newTopic: (chatId, body) => send('POST', `api/groups/${chatId}/topics`, body),
  setTopic: (chatId, topicId, body) => send('PUT', `api/groups/${chatId}/topics/${topicId}`, body),
  removeTopic: (chatId, topicId, body) => send('DELETE', `api/groups/${chatId}/topics/${topicId}`, body),
  upgrade: (chatId, body) => send('POST', `api/groups/${chatId}/upgrade`, body),
  setPrivacy: (personId, body) => send('PUT', `api/people/${personId}`, body),
  press: (chatId, messageId, body) => send('POST', `${messagePath(chatId, messageId)}/presses`, body),
  commands: (chatId, personId) => send('GET', `api/commands?chatId=${chatId}&personId=${personId}`),
  stopDraft: (body) => send('POST', 'api/draft-stops', body),
  inlineQuery: (body) => send('POST', 'api/inline-queries', body),
  chooseInline: (body) => send('POST', 'api/inline-choices', body),
  setServiceFault: (body) => send('PUT', 'api/service-faults', body),
  setTelegramFaults: (body) => send('PUT', 'api/telegram-faults', body),
};
