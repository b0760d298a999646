import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{test,sandbox/test}/**/*.test.ts'],
    setupFiles: ['test/whole-day.ts'],
    pool: 'forks',
    // Four on two cores: every front-door test starts processes of its own, and half of its time they wait for one another.
    maxWorkers: 4,
    // Generous, since machines are shared; tests wait on conditions, never on the clock.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    reporters: ['default', ['json', { outputFile: 'test-results/vitest.json' }]],
  },
});
