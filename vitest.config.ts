import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Spreads those that mostly wait for time limits evenly among those that work: all at once they keep no core busy, and one begun last
 * keeps the others' cores idle. Without a cache (a fresh clone) files are sorted by size, so those that wait longest come first by name.
 */
class WaitersAmongWorkers extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const waits = ({ moduleId }: TestSpecification) =>
      /\/(?:faults|privacy|queue|self-healing)\/|groups-burst/.test(moduleId);
    const waitsLongest = ({ moduleId }: TestSpecification) =>
      /groups-burst|faults\/(?:database|postgres|telegram)\.test/.test(moduleId);
    const spread = (some: TestSpecification[], within: number) =>
      some.map((file, index) => ({ file, at: waitsLongest(file) ? -1 : (index * within) / some.length }));
    // The waiters are through a little before the others.
    return [
      ...spread(sorted.filter(waits), 0.85),
      ...spread(
        sorted.filter((file) => !waits(file)),
        1,
      ),
    ]
      .toSorted((one, other) => one.at - other.at)
      .map(({ file }) => file);
  }
}

export default defineConfig({
  test: {
    include: ['{test,sandbox/test}/**/*.test.ts'],
    globalSetup: 'test/common-postgres.ts',
    setupFiles: ['test/whole-day.ts', 'test/fixed-seeds.ts'],
    pool: 'forks',
    // A worker loads the modules once for all of its files: that spares nearly a second of processor time a file.
    isolate: false,
    // Five on two cores: every front-door test starts processes of its own, and half of its time they wait for one another.
    maxWorkers: 5,
    sequence: { sequencer: WaitersAmongWorkers },
    // What runs side by side in one file waits, and works hardly ever.
    maxConcurrency: 12,
    // Generous, since machines are shared; tests wait on conditions, never on the clock.
    testTimeout: 300_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 120_000 } },
    reporters: ['default', ['json', { outputFile: 'test-results/vitest.json' }]],
  },
});
