// Whether the bot in this container is alive: exit code 0 or 1, by /healthz. Plain JavaScript, to be quick.
const { HOST = '127.0.0.1', PORT = '8080' } = process.env;
const host = HOST === '0.0.0.0' || HOST === '::' ? '127.0.0.1' : HOST;
const isAlive = await fetch(`http://${host}:${PORT}/healthz`, { signal: AbortSignal.timeout(4000) }).then(
  ({ ok }) => ok,
  () => false,
);
process.exit(isAlive ? 0 : 1);
