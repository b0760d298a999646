/** The `Range` header (RFC 9110 §14): browsers need it to learn how long a sound is, and to seek in it. */

/** Both ends are included, as in the header. */
interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * The part of a file of `size` bytes that a `Range` header asks for. `undefined`: the whole file, since there is no header, it
 * has several ranges, or cannot be read; `'unsatisfiable'`: it begins behind the end.
 */
export function readRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | undefined {
  const asked = /^bytes=(\d*)-(\d*)$/.exec(header ?? '');
  const [first, last] = [asked?.[1] ?? '', asked?.[2] ?? ''];
  if (first === '' && last === '') return undefined;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  if (start >= size) return 'unsatisfiable';
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  return end < start ? undefined : { start, end };
}
