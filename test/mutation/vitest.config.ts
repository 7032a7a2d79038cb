// The unit tests of the policy, as Stryker runs them against each mutant.

import {defineConfig} from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/lifecycle/**/*.test.ts'],
    // The list of rules reads the source text, which Stryker instruments. The second would shrink every failure for minutes.
    exclude: ['test/lifecycle/rules.test.ts', 'test/lifecycle/convergence.test.ts'],
    pool: 'threads',
    testTimeout: 60_000,
  },
});
