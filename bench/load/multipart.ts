/** Reads a multipart/form-data body, no more of it than bots use. */

export interface Form {
  readonly fields: Readonly<Record<string, string>>;
  readonly file: Buffer | undefined;
}

const BLANK_LINE = '\r\n\r\n';

/** The fields, and the last part that has a file name. */
export function readMultipart(contentType: string, body: Buffer): Form {
  const boundary = /boundary="?([^";]+)"?/.exec(contentType)?.[1] ?? '';
  const delimiter = Buffer.from(`--${boundary}`);
  const fields: Record<string, string> = {};
  let file: Buffer | undefined;
  let start = body.indexOf(delimiter);
  while (start >= 0) {
    const end = body.indexOf(delimiter, start + delimiter.length);
    if (end < 0) break;
    const part = body.subarray(start + delimiter.length, end - '\r\n'.length);
    const headEnd = part.indexOf(BLANK_LINE);
    const head = part.subarray(0, headEnd).toString();
    const content = part.subarray(headEnd + BLANK_LINE.length);
    if (/filename=/i.test(head)) file = content;
    else fields[/name="?([^";\r\n]+)"?/i.exec(head)?.[1] ?? ''] = content.toString();
    start = end;
  }
  return { fields, file };
}
