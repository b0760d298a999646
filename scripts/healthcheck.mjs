// Checks by /healthz whether the bot in this container is alive: exit code 0 or 1. Plain JavaScript, to be quick. A blank setting is unset,
// as in the bot.
const { HOST, PORT } = process.env;
const host = HOST?.includes(':') ? `[${HOST}]` : HOST || '127.0.0.1';
const isAlive = await fetch(`http://${host}:${PORT || 8080}/healthz`, {
  signal: AbortSignal.timeout(4000),
}).then(
  ({ ok }) => ok,
  () => false,
);
process.exit(isAlive ? 0 : 1);
