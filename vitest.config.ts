import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Many tests wait for a program, a block or a socket: half as many again keeps the cores busy.
    maxWorkers: '150%',
  },
})
