/** What a person sends from their disk: photos, albums, files, and the sandbox's sample photos. */
import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { LocalTelegram } from '../telegram/local-telegram.ts';
import type { Message } from '../telegram/objects.ts';
import { sampleToSend, uploadFields } from './protocol.ts';
import { Refusal } from './refusal.ts';
import type { SamplePhoto } from './sample-photos.ts';
import { findPlace, type Place, within } from './world-lookup.ts';

/** An album holds ten; Telegram takes files far larger than the 20 MB that bots can fetch, so the page must be able to send such. */
const LIMITS = { files: 10, fileSize: 64 * 1024 * 1024, fields: 10 };

interface UploadedFile {
  readonly bytes: Buffer;
  readonly fileName: string;
  readonly mimeType: string;
}

/** Adds the routes of uploads and of the sample photos. */
export async function addUploadRoutes(
  app: FastifyInstance,
  telegram: LocalTelegram,
  samples: readonly SamplePhoto[],
): Promise<void> {
  await app.register(multipart, { limits: LIMITS });

  app.post('/api/uploads', async (request) => {
    const { fields, files } = await readForm(request);
    const { asFile, caption = '', ...ids } = uploadFields.parse(fields);
    const place = findPlace(telegram, ids);
    return asFile === 'true' ? sendAsFiles(place, files, caption) : sendAsPhotos(place, files, caption);
  });

  app.post('/api/samples', async (request) => {
    const { name, caption = '', ...ids } = sampleToSend.parse(request.body);
    const sample = samples.find((one) => one.name === name);
    if (sample === undefined) throw new Refusal(404, 'There is no such sample');
    return sendAsPhotos(findPlace(telegram, ids), [{ bytes: await sample.read() }], caption);
  });

  app.get<{ Params: { name: string } }>('/api/samples/:name', async (request, reply) => {
    const sample = samples.find(({ name }) => name === request.params.name);
    if (sample === undefined) throw new Refusal(404, 'There is no such sample');
    return reply.type('image/jpeg').send(await sample.read());
  });
}

async function readForm(
  request: FastifyRequest,
): Promise<{ fields: Record<string, unknown>; files: UploadedFile[] }> {
  const fields: Record<string, unknown> = {};
  const files: UploadedFile[] = [];
  for await (const part of request.parts()) {
    if (part.type === 'field') fields[part.fieldname] = part.value;
    else files.push({ bytes: await part.toBuffer(), fileName: part.filename, mimeType: part.mimetype });
  }
  if (files.length === 0) throw new Refusal(400, 'There is no file to send');
  return { fields, files };
}

/** The caption stands under the first, as it does in Telegram's albums. */
async function sendAsPhotos(
  place: Place,
  files: ReadonlyArray<Pick<UploadedFile, 'bytes'>>,
  caption: string,
): Promise<Message[]> {
  const { person, chat } = place;
  const photos = files.map(({ bytes }, index) => ({
    bytes,
    ...(index === 0 && caption !== '' && { caption }),
    ...within(place),
  }));
  const [first] = photos;
  try {
    return photos.length === 1 && first
      ? [await person.sendPhoto(chat, first.bytes, first)]
      : await person.sendAlbum(chat, photos);
  } catch (error) {
    if (error instanceof RangeError) throw error;
    throw new Refusal(400, 'This is not a picture that Telegram can show: send it as a file', error);
  }
}

async function sendAsFiles(
  place: Place,
  files: readonly UploadedFile[],
  caption: string,
): Promise<Message[]> {
  return Promise.all(
    files.map(({ bytes, fileName, mimeType }, index) =>
      place.person.sendDocument(place.chat, bytes, {
        fileName,
        mimeType,
        ...(index === 0 && caption !== '' && { caption }),
        ...within(place),
      }),
    ),
  );
}
