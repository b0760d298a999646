/** Text carried in a picture's file beside the picture: a JPEG comment or a PNG text chunk, as UTF-8. */

const JPEG_COMMENT = 0xfe;
const JPEG_START_OF_SCAN = 0xda;
const PNG_SIGNATURE_BYTES = 8;
/** Length, type and checksum of a chunk. */
const PNG_CHUNK_FRAME_BYTES = 12;

/** Returns the text that a JPEG or PNG carries; undefined if there is none. */
export function readPictureComment(image: Buffer): string | undefined {
  if (image[0] === 0xff && image[1] === 0xd8) return readJpegComment(image);
  if (image.subarray(1, 4).toString('latin1') === 'PNG') return readPngText(image);
  return undefined;
}

/** The same JPEG carrying the text, of at most 65,533 bytes; RangeError beyond. */
export function withJpegComment(jpeg: Buffer, text: string): Buffer {
  const comment = Buffer.from(text);
  const header = Buffer.from([0xff, JPEG_COMMENT, 0, 0]);
  header.writeUInt16BE(comment.length + 2, 2);
  return Buffer.concat([jpeg.subarray(0, 2), header, comment, jpeg.subarray(2)]);
}

function readJpegComment(image: Buffer): string | undefined {
  for (let at = 2; at + 4 <= image.length; at += 2 + image.readUInt16BE(at + 2)) {
    const marker = image[at + 1];
    if (image[at] !== 0xff || marker === JPEG_START_OF_SCAN) return undefined;
    if (marker === JPEG_COMMENT) return image.toString('utf8', at + 4, at + 2 + image.readUInt16BE(at + 2));
  }
  return undefined;
}

/** A tEXt chunk holds a keyword, a zero byte and the text. */
function readPngText(image: Buffer): string | undefined {
  for (let at = PNG_SIGNATURE_BYTES; at + PNG_CHUNK_FRAME_BYTES <= image.length; ) {
    const length = image.readUInt32BE(at);
    const data = image.subarray(at + 8, at + 8 + length);
    if (image.toString('latin1', at + 4, at + 8) === 'tEXt')
      return data.toString('utf8', data.indexOf(0) + 1);
    at += length + PNG_CHUNK_FRAME_BYTES;
  }
  return undefined;
}
