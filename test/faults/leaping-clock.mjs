/** Loaded before the bot: each SIGUSR2 takes its monotonic clock a minute ahead. */
const system = performance.now.bind(performance);
let ahead = 0;
process.on('SIGUSR2', () => {
  ahead += 60_000;
});
performance.now = () => system() + ahead;
