/** A file as it came in a multipart body. */

export class Upload {
  readonly bytes: Buffer;
  readonly fileName: string;
  readonly mimeType: string;
  /** Its id, once the call made a file of it. */
  fileId: string | undefined;

  constructor(bytes: Buffer, fileName: string, mimeType: string) {
    this.bytes = bytes;
    this.fileName = fileName;
    this.mimeType = mimeType;
  }

  /** What the record of calls shows in the file's place. */
  summary(): { fileId: string | undefined; size: number; fileName: string } {
    return { fileId: this.fileId, size: this.bytes.length, fileName: this.fileName };
  }
}
