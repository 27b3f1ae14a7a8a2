import module from 'node:module'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { isatty } from 'node:tty'
import { fileURLToPath } from 'node:url'
import type { Host } from './compose/cli.js'
import type { SwapError } from './engine/errors.js'
import { attempt } from './platform/attempt.js'
import { isOwnCodeFolder, takeCompiledCode } from './platform/compiled-code.js'
import { cacheFolder } from './platform/user-folders.js'
import { buildVersion } from './platform/version.js'

/** Runs the command line of this process. Never throws: errors end in an exit status. */
export async function run(argv: readonly string[] = process.argv.slice(2)): Promise<void> {
  endWithTerminal()
  if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
    process.stdout
      .on('error', (error: NodeJS.ErrnoException) => void unwritten(error))
      .write(`${buildVersion}\n`)
    return
  }
  // The folder may have been removed.
  const cwd = attempt(() => process.cwd())
  if (cwd === undefined) {
    const { noCurrentFolder } = await import('./cli/exit.js')
    return report(noCurrentFolder(), argv.includes('--json'))
  }
  const env = environment()
  const home = homeOf(env)
  const keepCode = takeCode(argv, { env, home })
  const { crashStatus, runCli } = await import('./compose/cli.js')
  let hasEnded = false
  const status = await runCli(
    argv,
    hostOf({ cwd, env, home }, crashStatus, () => hasEnded),
  )
  hasEnded = true
  if (status === 0) await keepCode?.()
}

/** Ends as by SIGHUP where a terminal was lost without one: Node would abort when it restores the terminal's modes. */
function endWithTerminal(): void {
  const terminals = [0, 1, 2].filter((descriptor) => isatty(descriptor))
  process.once('exit', () => {
    if (terminals.every((descriptor) => isatty(descriptor))) return
    process.removeAllListeners('SIGHUP')
    process.kill(process.pid, 'SIGHUP')
  })
}

/** Reports what a command reports whose output cannot be written. A reader may have left. */
async function unwritten({ code, message }: NodeJS.ErrnoException): Promise<void> {
  if (code === 'EPIPE') return
  const { OutputFailed } = await import('./cli/exit.js')
  await report(new OutputFailed(message), false)
}

/** Reports an error without a configuration. */
async function report(error: SwapError, json: boolean): Promise<void> {
  const { createOutput } = await import('./cli/output.js')
  const { stdout, stderr, env } = process
  const setExit = (status: number) => {
    process.exitCode = status
  }
  const display = { color: 'auto', width: undefined, ascii: undefined } as const
  const output = createOutput({ stdout, stderr, setExit }, env, display)
  await output.problem(error, { json })
}

/**
 * Takes the code that the build and earlier starts compiled; modules that are not CommonJS are in Node's compile cache
 * on Node 22 and newer. Both are in a folder of the user: in the shared temporary folder, which is Node's default, other
 * users could plant code.
 *
 * @returns keeps what this start compiles
 */
function takeCode(
  [word = '']: readonly string[],
  user: Pick<Host, 'env' | 'home'>,
): (() => Promise<void>) | undefined {
  if (process.env['SWAP_BUILD_VERSION'] === undefined) return undefined
  const cache = cacheFolder(user)
  // Not in the types of Node 20, which the program still runs on.
  const { enableCompileCache } = module as { enableCompileCache?: (folder: string) => unknown }
  const ofNode = cache && join(cache, 'code')
  if (enableCompileCache && ofNode && isOwnCodeFolder(ofNode)) enableCompileCache(ofNode)
  const command = /^[a-z]+$/.test(word) ? word : 'help'
  const dist = dirname(fileURLToPath(import.meta.url))
  return takeCompiledCode(dist, cache && join(cache, 'compiled'), command)
}

/** The variables of this process. Relative `XDG_` folders are invalid: each current folder would have a journal of its own. */
function environment(): Host['env'] {
  const env = { ...process.env }
  // Remove the password from process.env so child processes and crash reports cannot leak it.
  delete process.env['SWAP_PASSWORD']
  for (const [name, value = ''] of Object.entries(env))
    if (/^XDG_\w+_HOME$/.test(name) && !isAbsolute(value)) delete env[name]
  return env
}

function hostOf(
  user: Pick<Host, 'cwd' | 'env' | 'home'>,
  crashStatus: number,
  hasEnded: () => boolean,
): Host {
  const { execPath, execArgv, argv } = process
  return {
    ...user,
    get stdin() {
      return process.stdin
    },
    streams: {
      stdout: process.stdout,
      stderr: process.stderr,
      // `process.exit` would cut off what a pipe has not taken yet.
      setExit(status) {
        process.exitCode = status
      },
    },
    self: [execPath, ...execArgv, argv[1] ?? ''],
    onCrash(listener) {
      const crash = (error: unknown) =>
        void listener(error).finally(() => process.exit(crashStatus))
      // Unhandled rejections are bugs: report them and exit.
      process.once('uncaughtException', crash)
      // So is a promise that never settles: Node would end with status 0, without an answer.
      process.once('beforeExit', () => {
        if (!hasEnded()) crash(new Error('the command has not ended'))
      })
    },
  }
}

/**
 * The home folder. `homedir()` asks the user database where there is no HOME; a script without one wants none. A relative
 * one is none: it would be another folder after each `cd`.
 */
function homeOf(env: Host['env']): string | undefined {
  const home = process.platform === 'win32' ? homedir() : (env['HOME'] ?? '')
  return isAbsolute(home) ? home : undefined
}

// Run from source there is no bin to call `run`.
if (process.env['SWAP_BUILD_VERSION'] === undefined && process.argv[1]?.endsWith('main.ts'))
  await run()
