/** A picture of an album as it is kept for a button. */
import { z } from 'zod';

/** Its message, how to fetch it again, and the caption, which decides the answer. */
const albumPicture = z.object({
  message: z.number(),
  fileId: z.string(),
  uniqueId: z.string(),
  caption: z.string().optional(),
});
export type AlbumPicture = z.infer<typeof albumPicture>;

/** Parses the kept pictures of an album. */
export function parseAlbum(json: string): AlbumPicture[] {
  return z.array(albumPicture).parse(JSON.parse(json));
}
