/** What translation and speech share: the secret, a JSON body, a text within the limit. */
import type { z } from 'zod';
import { documentedError, envelope, type ServiceAnswer } from './answers.ts';
import type { PaidKind } from './call-log.ts';
import type { Endpoint } from './endpoint.ts';

/** service-interface §8, in Unicode code points. */
const MAX_CHARACTERS = 3000;

interface TextEndpoint<Body> {
  readonly kind: PaidKind;
  readonly path: string;
  readonly xSecret: string;
  readonly schema: z.ZodType<Body>;
  /** Does the work for a body that keeps every rule. */
  readonly work: (body: Body) => Promise<ServiceAnswer>;
}

/** Holds requests to the rules, in the order: secret, content type, JSON, fields, length; the error says which is not kept (§7.2). */
export function createTextEndpoint<Body extends { inputText: string }>({
  kind,
  path,
  xSecret,
  schema,
  work,
}: TextEndpoint<Body>): Endpoint {
  return {
    kind,
    path,
    async read({ headers, body }) {
      const json = parseObject(body);
      const text = json?.inputText;
      const characters = typeof text === 'string' ? [...text].length : 0;
      const answer = async (): Promise<ServiceAnswer> => {
        if (headers['x-secret'] !== xSecret) return documentedError(kind, '4011001');
        if (!/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? ''))
          return outOfRange('Content-Type');
        if (json === undefined) return outOfRange('body');
        const parsed = schema.safeParse(json);
        if (!parsed.success) return outOfRange(describeIssue(parsed.error.issues[0], json));
        if (characters > MAX_CHARACTERS) return documentedError(kind, '4004002');
        return work(parsed.data);
      };
      return { parameters: json ?? {}, characters, answer };
    },
  };
}

function outOfRange(argument: string): ServiceAnswer {
  return envelope('500', `${argument} out of range`, null);
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
