/** Loaded into a bot with `--import`: raises unforeseen errors at a signal, as revealing as possible. */

function unforeseen(): Error {
  const [token, marks] = [process.env.FALLS_OVER_TOKEN, process.env.FALLS_OVER_MARKS];
  const error = new Error(`request to https://api.telegram.org/bot${token}/sendMessage failed: "${marks}"`, {
    cause: new SyntaxError(`Unexpected token '<', "${marks}" is not valid JSON`),
  });
  // As Telegraf's errors carry what was sent.
  return Object.assign(error, {
    on: { method: 'sendMessage', payload: { text: marks } },
    response: { marks },
  });
}

process.on('SIGUSR2', () => {
  throw unforeseen();
});
process.on('SIGHUP', () => {
  void Promise.reject(unforeseen());
});
