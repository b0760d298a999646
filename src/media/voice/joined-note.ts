/** Joins several voice notes into one: copies their packets into one stream without encoding them again. */
import { Failure } from '../../errors.ts';
import { createYield } from '../../patience.ts';
import { movePage, type OggPage, packetGranules, pagesOf, serialOf } from './ogg-opus.ts';

/** The number of header packets before the sound, which begins on a page of its own (RFC 7845 §3). */
const HEADER_PACKETS = 2;

interface Sound {
  readonly headers: readonly OggPage[];
  readonly pages: readonly OggPage[];
  /** Its length in granules, including the padding of the last packet. */
  readonly filled: bigint;
}

/**
 * One voice note that plays all of them in turn. Between two there is the silence with which the encoder begins (6.5 ms) and pads its last
 * packet (less than 60 ms). Throws `audio` for a note that is not whole.
 */
export async function joinNotes(notes: readonly Buffer[]): Promise<Buffer> {
  const sounds = notes.map(soundOf);
  const [first] = sounds;
  const [head] = first?.headers ?? [];
  if (first === undefined || head === undefined) throw new Failure('audio', 'there is no voice note to join');
  const serial = serialOf(head);
  const ogg = Buffer.allocUnsafe(
    [first.headers, ...sounds.map(({ pages }) => pages)]
      .flat()
      .reduce((sum, { bytes }) => sum + bytes.length, 0),
  );
  let written = 0;
  let sequence = 0;
  const write = ({ bytes }: OggPage): Buffer => {
    const copy = ogg.subarray(written, written + bytes.length);
    bytes.copy(copy);
    written += bytes.length;
    sequence += 1;
    return copy;
  };

  first.headers.forEach(write);
  const yieldToOthers = createYield();
  let before = 0n;
  let end = 0n;
  for (const [index, { pages, filled }] of sounds.entries()) {
    const isLast = index === sounds.length - 1;
    for (const page of pages) {
      if (page.granule >= 0n) end = before + (page.isEnd && !isLast ? filled : page.granule);
      const granule = page.granule < 0n ? page.granule : end;
      const place = { granule, serial, sequence, isEnd: page.isEnd && isLast };
      movePage(write(page), place);
      await yieldToOthers();
    }
    before += filled;
  }
  return ogg;
}

function soundOf(note: Buffer): Sound {
  try {
    const all = pagesOf(note);
    let packets = 0;
    const headers = all.filter((page) => {
      const isHeader = packets < HEADER_PACKETS;
      packets += page.packets;
      return isHeader;
    });
    const pages = all.slice(headers.length);
    const [first] = pages;
    const last = pages.at(-1);
    if (first === undefined || last === undefined || !last.isEnd) throw new RangeError('its end is missing');
    const filled = BigInt((packets - HEADER_PACKETS) * packetGranules(first.body));
    // Only the last packet may have padding.
    if (last.granule > filled) throw new RangeError('packets are missing');
    return { headers, pages, filled };
  } catch (cause) {
    throw new Failure('audio', 'a voice note is incomplete', { cause });
  }
}
