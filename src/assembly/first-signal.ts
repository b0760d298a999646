/** How whoever runs the process asks it to stop. */

/** Aborts at the first SIGTERM, SIGINT or SIGHUP (its terminal is closed), for a stop in good order; a second one leaves at once. */
export function firstSignal(): AbortSignal {
  const aborter = new AbortController();
  const onSignal = (): void => {
    if (aborter.signal.aborted) process.exit(1);
    aborter.abort();
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  process.on('SIGHUP', onSignal);
  return aborter.signal;
}
