import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/**
 * Rooms whose tests leave nothing behind in the modules that they share, which then are loaded once a
 * worker. The others run programs, hold files or change the process.
 */
const sharing = [
  ...['engine', 'operations', 'chain', 'config', 'render', 'demo-chain', 'history', 'wallet'],
].map((room) => `test/${room}/**/*.test.ts`)

const patience = { testTimeout: 120_000, hookTimeout: 120_000 }

export default defineConfig({
  test: {
    ...patience,
    // Many tests wait for a program, a block or a socket: one more than there are cores keeps these busy.
    maxWorkers: availableParallelism() + 1,
    projects: [
      { test: { name: 'sharing', include: sharing, isolate: false, ...patience } },
      { test: { name: 'rest', include: ['test/**/*.test.ts'], exclude: sharing, ...patience } },
    ],
  },
})
