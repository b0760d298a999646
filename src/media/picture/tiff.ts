/** The directories of a TIFF, one for each page: scanners write many into one file. EXIF is a TIFF, too. */

const ENTRY_BYTES = 12;
/** The maximum number of directories followed; no scanner writes more, and a file can link them in a ring. */
const MAX_COUNTED = 100_000;

export class Tiff {
  readonly #bytes: Buffer;
  readonly #isLittle: boolean;
  /** Where they begin. */
  readonly #directories: readonly number[];

  /** Any other file has no directories, and one page. */
  constructor(bytes: Buffer) {
    const order = bytes.toString('latin1', 0, 4);
    this.#bytes = bytes;
    this.#isLittle = order === 'II*\0';
    const seen = new Set<number>();
    let at = this.#isLittle || order === 'MM\0*' ? this.#number(4, 4) : 0;
    while (at >= 8 && at + 2 <= bytes.length && !seen.has(at) && seen.size < MAX_COUNTED) {
      seen.add(at);
      at = this.#number(at + 2 + ENTRY_BYTES * this.#number(at, 2), 4);
    }
    this.#directories = [...seen];
  }

  get pageCount(): number {
    return Math.max(1, this.#directories.length);
  }

  /** The number (SHORT) in a field of the first page; undefined if the page has no such field. */
  shortOf(field: number): number | undefined {
    const [directory = this.#bytes.length] = this.#directories;
    const entries = Array.from(
      { length: this.#number(directory, 2) },
      (_, entry) => directory + 2 + entry * ENTRY_BYTES,
    );
    const at = entries.find((entry) => this.#number(entry, 2) === field);
    return at === undefined ? undefined : this.#number(at + 8, 2);
  }

  /** A whole number of this many bytes; 0 beyond the end of the file. */
  #number(at: number, size: number): number {
    if (at + size > this.#bytes.length) return 0;
    return this.#isLittle ? this.#bytes.readUIntLE(at, size) : this.#bytes.readUIntBE(at, size);
  }
}
