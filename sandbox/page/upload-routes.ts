/** Routes of uploads: photos, videos, albums, files, and the sandbox's samples. */
import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { LocalTelegram } from '../telegram/local-telegram.ts';
import type { Message } from '../telegram/objects.ts';
import type { AlbumPart } from '../telegram/person-messages.ts';
import { sampleToSend, type UploadFields, uploadFields } from './protocol.ts';
import { Refusal } from './refusal.ts';
import type { SampleMedia } from './sample-media.ts';
import { type ActorPlace, findPlace, within } from './world-lookup.ts';

/** An album holds ten; Telegram takes files far larger than the 20 MB that bots can fetch, so the page must be able to send such. */
const LIMITS = { files: 10, fileSize: 64 * 1024 * 1024, fields: 10 };

interface UploadedFile {
  readonly bytes: Buffer;
  readonly fileName: string;
  readonly mimeType: string;
}

/** Adds the routes of uploads and of the samples. */
export async function addUploadRoutes(
  app: FastifyInstance,
  telegram: LocalTelegram,
  samples: readonly SampleMedia[],
): Promise<void> {
  await app.register(multipart, { limits: LIMITS });

  app.post('/api/uploads', async (request) => {
    const { fields, files } = await readForm(request);
    const { asFile, videos, caption = '', ...ids } = uploadFields.parse(fields);
    const place = findPlace(telegram, ids);
    return asFile === 'true'
      ? sendAsFiles(place, files, caption)
      : sendAsMedia(place, files, caption, videos);
  });

  app.post('/api/samples', async (request) => {
    const { name, caption = '', ...ids } = sampleToSend.parse(request.body);
    const sample = samples.find((one) => one.name === name);
    if (sample === undefined) throw new Refusal(404, 'There is no such sample');
    const place = findPlace(telegram, ids);
    const bytes = await sample.read();
    if (sample.fileName !== undefined) {
      return sendAsFiles(place, [{ bytes, fileName: sample.fileName, mimeType: 'application/pdf' }], caption);
    }
    const file = { bytes, fileName: `${name}.webm`, mimeType: 'video/webm' };
    return sendAsMedia(place, [file], caption, [sample.film ?? null]);
  });

  app.get<{ Params: { name: string } }>('/api/samples/:name', async (request, reply) => {
    const sample = samples.find(({ name }) => name === request.params.name);
    if (sample === undefined) throw new Refusal(404, 'There is no such sample');
    return reply.type(sample.film ? 'video/webm' : 'image/jpeg').send(await sample.preview());
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

/** Photos and videos; the caption stands under the first, as it does in Telegram's albums. */
async function sendAsMedia(
  place: ActorPlace,
  files: ReadonlyArray<Pick<UploadedFile, 'bytes'> & Partial<UploadedFile>>,
  caption: string,
  videos: UploadFields['videos'] = [],
): Promise<Message[]> {
  const parts = files.map(({ bytes, fileName = '', mimeType = '' }, index) => {
    const frame = videos[index];
    return {
      bytes,
      ...(frame && { fileName, mimeType, ...frame }),
      ...(index === 0 && caption !== '' && { caption }),
      ...within(place),
    };
  });
  try {
    return await send(place, parts);
  } catch (error) {
    if (error instanceof RangeError) throw error;
    throw new Refusal(400, 'This is not a picture that Telegram can show: send it as a file', error);
  }
}

/** The caption stands under the last of several files, as Telegram's apps put it. */
function sendAsFiles(place: ActorPlace, files: readonly UploadedFile[], caption: string): Promise<Message[]> {
  const parts = files.map((file, index) => ({
    ...file,
    ...(index === files.length - 1 && caption !== '' && { caption }),
    ...within(place),
  }));
  return send(place, parts);
}

/** Sends one by itself, several as an album. */
async function send({ person, chat }: ActorPlace, parts: readonly AlbumPart[]): Promise<Message[]> {
  const [part] = parts;
  if (part === undefined || parts.length > 1) return person.sendAlbum(chat, parts);
  if ('duration' in part) return [person.sendVideo(chat, part.bytes, part)];
  if ('fileName' in part) return [await person.sendDocument(chat, part.bytes, part)];
  return [await person.sendPhoto(chat, part.bytes, part)];
}
