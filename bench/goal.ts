/** A line of the table of goals. */

export interface Line {
  readonly what: string;
  readonly goal: string;
  readonly measured: string;
  /** Undefined if it was not measured. */
  readonly isMet: boolean | undefined;
}

/** `more` follows the measured value. */
export function line(
  what: string,
  goal: string,
  measured: number,
  unit: string,
  isMet: boolean,
  more = '',
): Line {
  const known = !Number.isNaN(measured);
  const shown = `${show(measured)}${unit === '' ? '' : ` ${unit}`}${more}`;
  return { what, goal, measured: known ? shown : 'not measured', isMet: known ? isMet : undefined };
}

export function atMost(what: string, goal: number, measured: number, unit = '×', more = ''): Line {
  return line(what, `≤ ${goal} ${unit}`, measured, unit, measured <= goal, more);
}

export function atLeast(what: string, goal: number, measured: number, unit = '×', more = ''): Line {
  return line(what, `≥ ${goal} ${unit}`, measured, unit, measured >= goal, more);
}

/** A figure rounded for readers; a dash for none. */
export function show(value: number): string {
  if (Number.isNaN(value)) return '–';
  return value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2);
}
