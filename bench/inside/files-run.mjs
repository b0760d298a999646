/**
 * Loaded into a bot with `--import`. On SIGUSR2 it writes the project's files that have run since the last SIGUSR2, one a line with the number
 * of their functions that ran, to the path in FILES_RUN.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

process.on('SIGUSR2', () => {
  session.post('Profiler.takePreciseCoverage', (error, coverage) => {
    if (error) throw error;
    const files = coverage.result
      .filter(({ url, functions }) => url.startsWith('file:') && functions.some(hasRun))
      .map(({ url, functions }) => [fileURLToPath(url), functions.filter(hasRun).length])
      .filter(
        ([path]) => path.startsWith(root) && !path.includes('node_modules') && !path.includes('/bench/'),
      )
      .map(([path, functions]) => `${path.slice(root.length)}\t${functions}`);
    const answer = process.env.FILES_RUN;
    writeFileSync(`${answer}.part`, files.join('\n'));
    renameSync(`${answer}.part`, answer);
  });
});

/** @param {{ ranges: { count: number }[] }} called */
function hasRun({ ranges }) {
  return ranges.some(({ count }) => count > 0);
}
