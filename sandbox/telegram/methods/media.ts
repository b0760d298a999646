/** Sending photos, documents, voice notes, audio and videos. */
import { badRequest } from '../api-error.ts';
import { captionParameters, messageCaption } from '../formatting.ts';
import { type MediaKind, mediaContent } from '../media-content.ts';
import { type Method, type Methods, method } from '../method.ts';
import type { Message } from '../objects.ts';
import { integer, text } from '../parameters.ts';
import { destination, post, prepare } from './destination.ts';

const details = {
  duration: integer('invalid duration specified').optional(),
  performer: text.optional(),
  title: text.optional(),
  width: integer('invalid width specified').optional(),
  height: integer('invalid height specified').optional(),
};

/** `send…`: the file is the parameter named after its kind. */
function sendMedia(kind: MediaKind): Method<Message> {
  return method({ ...destination, ...captionParameters, ...details }, async (context, parameters) => {
    const { core } = context;
    const caption = messageCaption(parameters);
    const content = await mediaContent(core.files, parameters, kind, parameters[kind], parameters);
    const place = prepare(context, parameters);
    if (content.voice && place.room.forbidsVoice) throw badRequest('VOICE_MESSAGES_FORBIDDEN');
    return post(context, place, { ...content, ...caption });
  });
}

export const mediaMethods: Methods = {
  sendPhoto: sendMedia('photo'),
  sendDocument: sendMedia('document'),
  sendVoice: sendMedia('voice'),
  sendAudio: sendMedia('audio'),
  sendVideo: sendMedia('video'),
};
