import { buildVersion } from './platform/version.js'

/**
 * Runs the command line of this process. Never throws: what goes wrong ends in an exit status. The
 * program proper is one chunk that is loaded only when there is something to do.
 */
export async function run(argv: readonly string[] = process.argv.slice(2)): Promise<void> {
  if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
    process.stdout.on('error', () => {}).write(`${buildVersion}\n`)
    return
  }
  const { start } = await import('./compose/cli.js')
  await start(argv)
}

// Run from source there is no bin to call `run`.
if (process.env['SWAP_BUILD_VERSION'] === undefined && process.argv[1]?.endsWith('main.ts'))
  await run()
