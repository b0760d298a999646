/** Sending albums. */
import { z } from 'zod';
import { badRequest } from '../api-error.ts';
import type { Core } from '../core.ts';
import { captionParameters, messageCaption } from '../formatting.ts';
import { mediaContent } from '../media-content.ts';
import { type Methods, method } from '../method.ts';
import type { Message } from '../objects.ts';
import { integer, json, text } from '../parameters.ts';
import type { Fields } from '../request-body.ts';
import { destination, prepare } from './destination.ts';

const KINDS = ['photo', 'document', 'audio', 'video'] as const;

const inputMedia = z.looseObject(
  {
    type: z.enum(KINDS, { error: "can't parse InputMedia: Unsupported media type specified" }),
    media: text,
    ...captionParameters,
    duration: integer('invalid duration specified').optional(),
    performer: text.optional(),
    title: text.optional(),
    width: integer('invalid width specified').optional(),
    height: integer('invalid height specified').optional(),
  },
  { error: "can't parse InputMedia: expected an Object" },
);

/** Content and caption of one `InputMedia`. */
async function inputMediaContent(
  { files }: Core,
  fields: Fields,
  media: z.output<typeof inputMedia>,
): Promise<Partial<Message>> {
  const caption = messageCaption(media);
  return { ...(await mediaContent(files, fields, media.type, media.media, media)), ...caption };
}

/** Messages in an album (Bot API, sendMediaGroup). */
const ALBUM_MAX = 10;

const sendMediaGroup = method(
  {
    ...destination,
    media: json(
      z.array(inputMedia, { error: 'expected an Array of InputMedia' }),
      "can't parse media JSON object",
    ),
  },
  async (context, parameters) => {
    const { core } = context;
    const { media } = parameters;
    if (media.length === 0) throw badRequest('there are no messages to send');
    if (media.length > ALBUM_MAX) throw badRequest('too many messages to send as an album');
    const kinds = new Set(media.map(({ type }) => type));
    for (const kind of ['document', 'audio'] as const)
      if (kinds.has(kind) && kinds.size > 1)
        throw badRequest(`${kind} can't be mixed with other media types`);
    const contents: Array<Partial<Message>> = [];
    for (const one of media) contents.push(await inputMediaContent(core, parameters, one));
    const { room, draft } = prepare(context, parameters);
    const album = { media_group_id: core.newMediaGroupId() };
    return contents.map((content) => room.log.asShown(core.post(room, { ...draft, ...album, ...content })));
  },
);

export const albumMethods: Methods = { sendMediaGroup };
