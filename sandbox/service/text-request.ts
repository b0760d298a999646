/** The checks that translation and speech share: the secret, a JSON body, a text within the limit. */
import type { z } from 'zod';
import { documentedError, envelope, type ServiceAnswer } from './answers.ts';
import type { PaidKind } from './call-log.ts';
import type { Received } from './endpoint.ts';

/** service-interface §8, in Unicode code points. */
const MAX_CHARACTERS = 3000;

interface TextRequestRules<Body> {
  readonly kind: PaidKind;
  readonly xSecret: string;
  readonly schema: z.ZodType<Body>;
}

interface TextRequest<Body> {
  /** The JSON as it came, for the call log. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly characters: number;
  /** The body where every rule is kept, else the error that says which is not (§7.2). */
  readonly outcome: { readonly body: Body } | { readonly error: ServiceAnswer };
}

/** Holds a request to the rules, in the order: secret, content type, JSON, fields, length. */
export function readTextRequest<Body extends { inputText: string }>(
  { headers, body }: Received,
  { kind, xSecret, schema }: TextRequestRules<Body>,
): TextRequest<Body> {
  const json = parseObject(body);
  const text = json?.inputText;
  const seen = { parameters: json ?? {}, characters: typeof text === 'string' ? [...text].length : 0 };
  const outOfRange = (argument: string) => ({
    ...seen,
    outcome: { error: envelope('500', `${argument} out of range`, null) },
  });

  if (headers['x-secret'] !== xSecret) {
    return { ...seen, outcome: { error: documentedError(kind, '4011001') } };
  }
  if (!/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')) return outOfRange('Content-Type');
  if (json === undefined) return outOfRange('body');
  const parsed = schema.safeParse(json);
  if (!parsed.success) return outOfRange(describeIssue(parsed.error.issues[0], json));
  if (seen.characters > MAX_CHARACTERS) {
    return { ...seen, outcome: { error: documentedError(kind, '4004002') } };
  }
  return { ...seen, outcome: { body: parsed.data } };
}

function parseObject(body: Buffer): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(body.toString());
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

/** The argument's name and, unless it is the person's text, its actual value (§7.2). */
function describeIssue(issue: z.core.$ZodIssue | undefined, json: Record<string, unknown>): string {
  if (issue?.code === 'unrecognized_keys') return issue.keys.join(', ');
  const name = String(issue?.path[0] ?? 'body');
  return name === 'inputText' || !(name in json) ? name : `${name} ${JSON.stringify(json[name])}`;
}
