/** What a start that cannot go on leaves behind, its reason having been told. */

/** The process ends with exit code 1 once nothing is left to do. */
export function failStart(): void {
  process.exitCode = 1;
}
