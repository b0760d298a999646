/** Everything that a bot leaves behind where others may read it, and what must not stand in it. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';

/** What has been found where. */
export interface Trace {
  readonly where: string;
  readonly text: string;
}

/** A secret as it may come to light: whole, its telling half, and as addresses and basic authentication spell it. */
export function formsOf(secret: string): string[] {
  const half = secret.slice(Math.ceil(secret.length / 2));
  return [secret, half, encodeURIComponent(secret), Buffer.from(secret).toString('base64')];
}

/** The files below a folder, without those that `isMeant` to hold what people wrote. */
export function filesBelow(folder: string, isMeant: (path: string) => boolean): Trace[] {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
  return paths
    .filter((path) => statSync(path).isFile() && !isMeant(path))
    .map((path) => ({ where: path, text: readFileSync(path, 'latin1') }));
}

/** None of the words stands in any of the traces. */
export function expectNone(words: readonly string[], traces: readonly Trace[]): void {
  const found = traces.flatMap(({ where, text }) =>
    words.filter((word) => text.includes(word)).map((word) => `${word} in ${where}`),
  );
  expect(found).toEqual([]);
}
