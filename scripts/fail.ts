/** How a command of the operator's ends that could not do what was asked. */

/** Says why, line by line, on standard error; the process ends with exit code 1 once nothing is left to do. */
export function fail(...lines: string[]): void {
  for (const line of lines) console.error(line);
  process.exitCode = 1;
}
