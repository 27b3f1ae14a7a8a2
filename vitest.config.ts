import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/** Rooms whose modules are pure: their tests may share one set of them, which is loaded once. */
const pure = ['math', 'market', 'routing', 'render', 'snapshot', 'arbitrage'].map(
  (room) => `test/${room}/**/*.test.ts`,
)

const patience = { testTimeout: 120_000, hookTimeout: 120_000 }

export default defineConfig({
  test: {
    ...patience,
    // Many tests wait for a program, a block or a socket: one more than there are cores keeps these busy.
    maxWorkers: availableParallelism() + 1,
    projects: [
      { test: { name: 'pure', include: pure, isolate: false, ...patience } },
      { test: { name: 'rest', include: ['test/**/*.test.ts'], exclude: pure, ...patience } },
    ],
  },
})
