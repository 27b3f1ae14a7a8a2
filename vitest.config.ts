import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'
import { SlowestFiles } from './test/support/slowest-files.js'

const filesOf = (...folders: readonly string[]) =>
  folders.map((folder) => `test/${folder}/**/*.test.ts`)

/** Folders without I/O: what `npm run test:fast` runs. */
const pure = filesOf('engine', 'render', 'config')

// Tests that need minutes are run by `npm run test:long` only.
const long = process.env['SWAP_LONG'] ? [] : ['**/*.long.test.ts']

// Eight times what the longest test takes on a quiet machine; properties have eight times the rounds in a long run.
const testTimeout = process.env['SWAP_LONG'] ? 960_000 : 240_000

// A report for a program to read, beside the printed one.
const reportFile = process.env['SWAP_TEST_REPORT']
const report: ['json', { outputFile: string }][] = reportFile
  ? [['json', { outputFile: reportFile }]]
  : []

// Most functions run for less than a second in a test file: V8 compiles them at once without optimising, optimises
// later (by default at 135,168), which together takes a fifth off the processor time, and collects new objects half as
// often. Other versions of V8 do not know the first options, and a process with an unknown one does not start.
const later = process.versions.node.startsWith('20.')
  ? ['--always-sparkplug', '--interrupt-budget=1000000']
  : []
const execArgv = [...later, '--max-semi-space-size=32']

const common = {
  execArgv,
  globalSetup: 'test/support/run.ts',
  setupFiles: 'test/support/hooks.ts',
  testTimeout,
  hookTimeout: 240_000,
}

/** Threads and signing processes run the built program. */
const entries = {
  find: /^.*\/platform\/built-entry\.js$/,
  replacement: resolve('test/support/built-entries.ts'),
}

/** Tests open the keys that they have just made. */
const argon2 = {
  find: '@noble/hashes/argon2',
  replacement: resolve('test/support/remembered-argon2.ts'),
}

export default defineConfig({
  test: {
    // Transformed files are kept in node_modules, which takes a sixth off the processor time of later runs.
    experimental: { fsModuleCache: true },
    // Many tests wait for a program, a block or a socket: one more than there are cores keeps these busy.
    maxWorkers: availableParallelism() + 1,
    reporters: ['default', new SlowestFiles(), ...report],
    projects: [
      { test: { ...common, name: 'fast', include: pure, exclude: long, isolate: false } },
      {
        resolve: { alias: [entries, argon2] },
        test: {
          ...common,
          name: 'program',
          include: ['test/**/*.test.ts'],
          exclude: [...pure, ...long],
          isolate: false,
        },
      },
    ],
  },
})
