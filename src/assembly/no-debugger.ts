/** Keeps Node's debugger shut, through which everybody on the machine could read the secrets and run what they like. */

/** From now on SIGUSR1 does nothing; Node would open its debugger for it, on a port that asks nobody who they are. */
export function keepDebuggerShut(): void {
  process.on('SIGUSR1', () => {});
}
