import type { Reporter, TestModule } from 'vitest/node'

const COUNT = 10

/** Prints the files that took longest, slowest first: import, hooks and tests together. */
export class SlowestFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const rows = modules
      .map((module) => ({ file: module.relativeModuleId, seconds: secondsOf(module) }))
      .sort((a, b) => b.seconds - a.seconds)
      .slice(0, COUNT)
      .map(({ file, seconds }) => `${seconds.toFixed(1).padStart(8)} s  ${file}`)
    if (modules.length > COUNT) process.stdout.write(`\nSlowest files\n${rows.join('\n')}\n`)
  }
}

function secondsOf(module: TestModule): number {
  const { collectDuration, setupDuration, duration } = module.diagnostic()
  return (collectDuration + setupDuration + duration) / 1_000
}
