import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{test,sandbox/test}/**/*.test.ts'],
    setupFiles: ['test/whole-day.ts'],
    pool: 'forks',
    // Two at a time: every front-door test starts processes of its own, and machines are small.
    maxWorkers: 2,
    // Generous, since machines are shared; tests wait on conditions, never on the clock.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    reporters: ['default', ['json', { outputFile: 'test-results/vitest.json' }]],
  },
});
