/**
 * The bot's process. Plain JavaScript, so that an older Node can print why it does not run: TypeScript would be a syntax error there.
 * `NODE_COMPILE_CACHE` (package.json) keeps compiled code, which halves the time of a start and saves a third of its memory.
 */
const MIN_NODE = 24;

if (Number.parseInt(process.versions.node, 10) < MIN_NODE) {
  process.stderr.write(
    `Lotsawa needs Node ${MIN_NODE} or newer, and this is Node ${process.versions.node}: start it with npm start\n`,
  );
  process.exitCode = 78;
} else {
  const { start } = await import('./app/start.ts');
  await start();
}
