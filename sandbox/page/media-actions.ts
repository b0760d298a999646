/** Sending photos, videos, albums and files: what the page uploads, and the sandbox's samples. */
import { readFile } from 'node:fs/promises';
import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { LocalTelegram } from '../telegram/local-telegram.ts';
import type { Message } from '../telegram/objects.ts';
import type { AlbumPart } from '../telegram/person-messages.ts';
import { type Actions, action } from './actions.ts';
import { type Actor, destination, id } from './actor.ts';
import { Refusal } from './refusal.ts';
import { SAMPLES } from './sample-media.ts';

/** An album holds ten; Telegram takes files far larger than the 20 MB that bots can fetch, so the page must be able to send such. */
const LIMITS = { files: 10, fileSize: 64 * 1024 * 1024, fields: 10 };

/** The size (pixels) and length (seconds) of a video, as the browser reports them. */
const videoFrame = z.object({ width: id.positive(), height: id.positive(), duration: z.number().min(0) });

const media = {
  ...destination,
  caption: z.string().default(''),
  asFile: z.boolean().default(false),
  /** For each file its frame where it goes out as a video, else null. */
  videos: z.array(videoFrame.nullable()).default([]),
};
type Media = z.output<z.ZodObject<typeof media>>;

interface SentFile {
  readonly bytes: Buffer;
  readonly fileName: string;
  readonly mimeType: string;
}

/** Adds `POST /api/sendFiles`: a form of the JSON field `about`, followed by the files; several make an album. */
export async function addUploads(app: FastifyInstance, telegram: LocalTelegram): Promise<void> {
  await app.register(multipart, { limits: LIMITS });
  app.post('/api/sendFiles', async (request) => {
    const { about, files } = await readForm(request);
    return action(media, (actor, given) => send(actor, files, given))(telegram, about);
  });
}

export const sampleActions: Actions = {
  sendSample: action({ ...media, name: z.string() }, async (actor, { name, ...given }) => {
    const sample = SAMPLES.find((one) => one.name === name);
    if (sample === undefined) throw new Refusal(404, 'There is no such sample');
    const { file: fileName, film = null } = sample;
    const bytes = await readFile(new URL(`../samples/${fileName}`, import.meta.url));
    const asFile = fileName.endsWith('.pdf');
    const file = { bytes, fileName, mimeType: asFile ? 'application/pdf' : 'video/webm' };
    return send(actor, [file], { ...given, asFile, videos: [film] });
  }),
};

async function readForm(request: FastifyRequest): Promise<{ about: unknown; files: SentFile[] }> {
  let about: unknown;
  const files: SentFile[] = [];
  for await (const part of request.parts()) {
    if (part.type === 'field') about = JSON.parse(String(part.value));
    else files.push({ bytes: await part.toBuffer(), fileName: part.filename, mimeType: part.mimetype });
  }
  if (files.length === 0) throw new Refusal(400, 'There is no file to send');
  return { about, files };
}

/** Sends one file, or an album. The caption stands under the first of its pictures, or the last of its files, as Telegram's apps put it. */
async function send(actor: Actor, files: readonly SentFile[], given: Media): Promise<Message[]> {
  const { caption, asFile, videos, ...to } = given;
  const placement = actor.placement(to);
  const captioned = asFile ? files.length - 1 : 0;
  const parts = files.map(({ bytes, ...named }, index): AlbumPart => {
    const words = index === captioned && caption !== '' && { caption };
    const frame = videos[index];
    if (asFile) return { bytes, ...named, ...words, ...placement };
    return frame ? { bytes, ...named, ...frame, ...words, ...placement } : { bytes, ...words, ...placement };
  });
  try {
    return await actor.person.sendAlbum(actor.chat(to.chatId), parts);
  } catch (error) {
    if (error instanceof RangeError || asFile) throw error;
    throw new Refusal(400, 'This is not a picture that Telegram can show: send it as a file', error);
  }
}
