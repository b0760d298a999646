/** The recognition request's body: a form, urlencoded or multipart (service-interface §4.2). */

/** A field's text, or the bytes of an attached file. */
export type FormFields = ReadonlyMap<string, string | Buffer>;

const FORM_TYPES = /^(application\/x-www-form-urlencoded|multipart\/form-data)\s*(;|$)/i;

/** Returns the fields of a form; undefined if the body is not a form, or a field comes twice. */
export async function readForm(
  contentType: string | undefined,
  body: Buffer,
): Promise<FormFields | undefined> {
  if (contentType === undefined || !FORM_TYPES.test(contentType)) return undefined;
  const fields = new Map<string, string | Buffer>();
  try {
    const form = await new Response(new Uint8Array(body), {
      headers: { 'content-type': contentType },
    }).formData();
    for (const [name, value] of form) {
      if (fields.has(name)) return undefined;
      fields.set(name, typeof value === 'string' ? value : Buffer.from(await value.arrayBuffer()));
    }
  } catch {
    return undefined;
  }
  return fields;
}
