/**
 * Looks for regular expressions that take more than time in proportion to their text: people send a megabyte of one letter, and the square of
 * that is a minute in which nobody else gets an answer.
 */
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { RegExpParser, visitRegExpAST } from '@eslint-community/regexpp';
import { parse, type Token, tokTypes } from 'acorn';
import { analyse, type ParsedLiteral } from 'scslre';

interface Found {
  readonly where: string;
  readonly source: string;
  readonly flags: string;
}

/** Notes, from now on, what files below this folder put together with `new RegExp`. */
export function noteMade(folder: string): readonly Found[] {
  const made: Found[] = [];
  globalThis.RegExp = new Proxy(RegExp, {
    construct: (target, given, newTarget) => {
      const one: RegExp = Reflect.construct(target, given, newTarget);
      const [path = ''] = new Error().stack?.split(folder)[2]?.split('\n') ?? [];
      if (/^(?:src|handlers|sandbox)\//.test(path))
        made.push({ where: path.replace(/\)$/, ''), source: one.source, flags: one.flags });
      return one;
    },
  });
  return made;
}

/** Those written in a file, TypeScript or JavaScript. */
export function writtenIn(folder: string, path: string): Found[] {
  const text = readFileSync(`${folder}${path}`, 'utf8');
  const tokens: Token[] = [];
  const code = path.endsWith('.ts') ? stripTypeScriptTypes(text) : text;
  parse(code, { ecmaVersion: 'latest', sourceType: 'module', allowHashBang: true, onToken: tokens });
  return tokens.flatMap(({ type, start, end }) => {
    if (type !== tokTypes.regexp) return [];
    const literal = code.slice(start + 1, end);
    const close = literal.lastIndexOf('/');
    const where = `${path}:${code.slice(0, start).split('\n').length}`;
    return { where, source: literal.slice(0, close), flags: literal.slice(close + 1) };
  });
}

/** Why it may take long; undefined if it does not. */
export function slowness({ source, flags }: Pick<Found, 'source' | 'flags'>): string | undefined {
  const literal = parsed(source, flags);
  const [lookbehind] = unboundedLookbehinds(literal);
  // V8 runs it at every position, each time as far back as it reaches.
  if (lookbehind !== undefined) return `looks back over any number of ${lookbehind}`;
  const [report] = analyse(literal, { maxReports: 1 }).reports;
  if (report === undefined) return undefined;
  if (report.type === 'Move') return `begins to search ${report.quant.raw} at each of many positions`;
  const both = report.type === 'Self' ? [report.quant] : [report.startQuant, report.endQuant];
  return `divides what it matches in many ways between ${both.map(({ raw }) => raw).join(' and ')}`;
}

function parsed(source: string, flags: string): ParsedLiteral {
  const parser = new RegExpParser();
  const [unicode, unicodeSets] = [flags.includes('u'), flags.includes('v')];
  return {
    pattern: parser.parsePattern(source, 0, source.length, { unicode, unicodeSets }),
    flags: parser.parseFlags(flags),
  };
}

function unboundedLookbehinds({ pattern }: ParsedLiteral): string[] {
  const found: string[] = [];
  visitRegExpAST(pattern, {
    onAssertionEnter: (assertion) => {
      if (assertion.kind !== 'lookbehind') return;
      visitRegExpAST(assertion, {
        onQuantifierEnter: ({ max, element }) => {
          if (max === Number.POSITIVE_INFINITY) found.push(element.raw);
        },
      });
    },
  });
  return found;
}
