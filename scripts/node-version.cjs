// Ends a command on a Node that is too old, before anything else: `node -r` runs this even where the command itself could not be parsed.
// Only syntax that every Node knows.
'use strict';

/** From this one on npm installs all packages: sharp's would be left out without a word on an older one. */
const OLDEST = '20.9';

const number = (version) => Number(version.split('.')[0]) * 1000 + Number(version.split('.')[1]);
if (number(process.versions.node) < number(OLDEST)) {
  console.error(
    `Lotsawa needs Node ${OLDEST} or newer, and this is Node ${process.versions.node}: install one (https://nodejs.org), then start the command again.`,
  );
  process.exit(78);
}
