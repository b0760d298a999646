/** Reads a Bot API call's parameters from its query and its body: JSON, urlencoded or multipart. */
import type { IncomingMessage } from 'node:http';
import { isForm, readBody, readForm } from '../http.ts';
import { ApiError, badRequest } from './api-error.ts';
import { Upload } from './upload.ts';

/** Uploads end at 50 MB (Bot API, "Sending files"), with some room for the other parameters. */
const BODY_MAX = 52 * 1024 * 1024;

export type Fields = Record<string, unknown>;

/** The parameters by name; throws ApiError for a body that is too large or that cannot be read. */
export async function readFields(request: IncomingMessage, query: URLSearchParams): Promise<Fields> {
  const fields: Fields = Object.fromEntries(query);
  const body = await readBody(request, BODY_MAX);
  if (body === undefined) throw new ApiError(413, 'Request Entity Too Large');
  if (body.length === 0) return fields;
  const type = request.headers['content-type'] ?? '';
  if (type.startsWith('application/json')) return { ...fields, ...jsonFields(body) };
  return isForm(type) ? { ...fields, ...(await formFields(body, type)) } : fields;
}

function jsonFields(body: Buffer): Fields {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return Object.fromEntries(Object.entries(value).filter(([, given]) => given !== null));
  } catch {
    // No JSON: told below, as for JSON that is no object.
  }
  throw badRequest("can't parse request: object expected");
}

async function formFields(body: Buffer<ArrayBuffer>, type: string): Promise<Fields> {
  const form = await readForm(type, body);
  if (form === undefined) throw badRequest("can't parse multipart/form-data");
  const fields: Fields = {};
  for (const [name, value] of form)
    fields[name] =
      typeof value === 'string'
        ? value
        : new Upload(Buffer.from(await value.arrayBuffer()), value.name, value.type);
  return fields;
}
