/** How a start fails, once the reason was told. */

/** The process ends with exit code 1 once nothing is left to do. */
export function failStart(): void {
  process.exitCode = 1;
}
