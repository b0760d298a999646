/** The directories of a TIFF, one for each page: scanners write many into one file. */

const ENTRY_BYTES = 12;
/** The maximum number of directories followed; no scanner writes more, and a file can link them in a ring. */
const MAX_COUNTED = 100_000;
/** The bytes of a value, by the types that hold whole numbers (TIFF 6.0, section 2): BYTE, SHORT, LONG. */
const VALUE_BYTES = new Map([
  [1, 1],
  [3, 2],
  [4, 4],
]);
/** The maximum of values read of one field: the strips of a page of 65,535 rows. */
const MAX_VALUES = 65_535;

export class Tiff {
  readonly #bytes: Buffer;
  readonly #isLittle: boolean;
  /** Where they begin. */
  readonly #directories: number[] = [];

  /** Any other file has no directories, and one page. */
  constructor(bytes: Buffer) {
    const order = bytes.toString('latin1', 0, 4);
    this.#bytes = bytes;
    this.#isLittle = order === 'II*\0';
    if (!this.#isLittle && order !== 'MM\0*') return;
    const seen = new Set<number>();
    let at = this.#number(4, 4);
    while (at >= 8 && at + 2 <= bytes.length && !seen.has(at) && seen.size < MAX_COUNTED) {
      seen.add(at);
      at = this.#number(at + 2 + ENTRY_BYTES * this.#number(at, 2), 4);
    }
    this.#directories = [...seen];
  }

  get pageCount(): number {
    return Math.max(1, this.#directories.length);
  }

  /** The whole numbers of a field of a page (from 0), none beyond the end of the file; empty if the page has no such field. */
  valuesOf(page: number, field: number): number[] {
    const directory = this.#directories[page];
    if (directory === undefined) return [];
    const entries = this.#number(directory, 2);
    for (let entry = 0; entry < entries; entry += 1) {
      const at = directory + 2 + entry * ENTRY_BYTES;
      if (this.#number(at, 2) !== field) continue;
      const size = VALUE_BYTES.get(this.#number(at + 2, 2)) ?? 0;
      const count = size === 0 ? 0 : Math.min(MAX_VALUES, this.#number(at + 4, 4));
      const start = size * count <= 4 ? at + 8 : this.#number(at + 8, 4);
      const isThere = start + size * count <= this.#bytes.length;
      return Array.from({ length: isThere ? count : 0 }, (_, index) =>
        this.#number(start + index * size, size),
      );
    }
    return [];
  }

  /** A whole number of this many bytes; 0 beyond the end of the file. */
  #number(at: number, size: number): number {
    if (at + size > this.#bytes.length) return 0;
    return this.#isLittle ? this.#bytes.readUIntLE(at, size) : this.#bytes.readUIntBE(at, size);
  }
}
