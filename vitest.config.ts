import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Left to itself it keeps one core free, which on two is half of them.
    maxWorkers: '100%',
  },
})
