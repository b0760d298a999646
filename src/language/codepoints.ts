/** Counts text in Unicode code points, the unit of the service's limit of 3000 (service-interface §8). */

const LAST_OF_ONE_UNIT = 0xffff;

/** Length in code points, without a copy of the text; a surrogate that has lost its other half counts as one. */
export function codePointLength(text: string): number {
  let length = 0;
  for (let index = 0; index < text.length; length++) {
    index += (text.codePointAt(index) ?? 0) > LAST_OF_ONE_UNIT ? 2 : 1;
  }
  return length;
}
